import { type CallView, createCallView } from "./call-view.ts";
import { type PageCall, type PageData, toPageCalls } from "./calls.ts";
import { drawChart } from "./chart.ts";
import { CHART } from "./chart-data.ts";
import { byId, h } from "./dom.ts";
import { EVERYTHING, findCalls, type Query, type SortKey } from "./find-calls.ts";
import { formatCount, visible } from "./format.ts";
import { type KeyCommands, listenToKeys } from "./keys.ts";
import { type CallList, createList } from "./list.ts";
import { keepReadable } from "./readable.ts";
import { hrefOf, idOf } from "./route.ts";
import { createThemeSwitch } from "./theme.ts";
import { createToolbar, type Toolbar } from "./toolbar.ts";

/** What is seen now. */
interface Shown {
  query: Query;
  listed: readonly PageCall[];
  chosen: PageCall | undefined;
  view: CallView | undefined;
}

interface App {
  readonly calls: readonly PageCall[];
  readonly list: CallList;
  readonly toolbar: Toolbar;
  readonly shown: Shown;
}

function start(recording: PageData): void {
  const data = keepReadable(recording);
  const calls = toPageCalls(data);
  const shown: Shown = { query: EVERYTHING, listed: calls, chosen: undefined, view: undefined };
  const list = createList({
    sort: (key) => search(app, sortBy(shown.query, key)),
    open: (id) => open(app, id),
    begin: beginOf(calls),
  });
  const toolbar = createToolbar(calls, (filters) => {
    const { sort, descending } = shown.query;
    search(app, { ...filters, sort, descending });
  });
  const app: App = { calls, list, toolbar, shown };
  listenToKeys(commandsOf(app));
  window.addEventListener("hashchange", () => goTo(app, location.hash));
  createThemeSwitch();
  summarize(data, calls);
  search(app, EVERYTHING);
  goTo(app, location.hash);
}

function search({ calls, list, toolbar, shown }: App, query: Query): void {
  shown.query = query;
  shown.listed = findCalls(calls, query);
  list.sorted(query.sort, query.descending);
  list.show(shown.listed, shown.chosen?.id);
  toolbar.told(shown.listed.length);
  const none = byId("none");
  none.hidden = shown.listed.length > 0;
  none.textContent = calls.length === 0 ? "This recording holds no call." : "No call is like that.";
}

function show(app: App, call: PageCall | undefined): void {
  const { shown, list } = app;
  if (call === shown.chosen && shown.view !== undefined) return;
  shown.chosen = call;
  shown.view = call === undefined ? undefined : createCallView(call, () => goBack(app));
  const detail = byId("detail");
  detail.replaceChildren(shown.view?.element ?? emptyDetail(idOf(location.hash)));
  detail.scrollTop = 0;
  list.choose(call?.id);
}

/** On a narrow screen the list and the call take turns. */
function turn(opened: boolean): void {
  document.body.classList.toggle("opened", opened);
}

function goBack({ list, shown }: App): void {
  turn(false);
  list.choose(shown.chosen?.id);
}

function open(app: App, id: string): void {
  const call = app.calls.find((one) => one.id === id);
  if (call === undefined) return;
  // An opened call is a place to come back from; going along the list with keys is not.
  if (idOf(location.hash) !== id) history.pushState(null, "", hrefOf(id));
  show(app, call);
  turn(true);
}

function step(app: App, by: number): void {
  const { listed, chosen } = app.shown;
  const index = chosen === undefined ? -1 : listed.indexOf(chosen);
  const next = listed[index < 0 ? 0 : Math.min(Math.max(index + by, 0), listed.length - 1)];
  if (next === undefined) return;
  history.replaceState(null, "", hrefOf(next.id));
  show(app, next);
}

/** Shows the call that an address names; without one, the call that was seen last, at first the first. */
function goTo(app: App, hash: string): void {
  const id = idOf(hash);
  show(
    app,
    id === undefined
      ? (app.shown.chosen ?? app.calls[0])
      : app.calls.find((call) => call.id === id),
  );
  turn(id !== undefined);
}

function commandsOf(app: App): KeyCommands {
  const { shown, toolbar } = app;
  return {
    next: () => step(app, 1),
    previous: () => step(app, -1),
    open() {
      if (shown.chosen === undefined) step(app, 0);
      turn(true);
      shown.view?.focus();
    },
    close: () => goBack(app),
    search: () => toolbar.focusSearch(),
    forward: () => shown.view?.move(1),
    backward: () => shown.view?.move(-1),
  };
}

function beginOf(calls: readonly PageCall[]): number {
  return calls.reduce(
    (first, { startedAt }) => Math.min(first, startedAt),
    Number.POSITIVE_INFINITY,
  );
}

function sortBy(query: Query, key: SortKey): Query {
  if (query.sort !== key) return { ...query, sort: key, descending: false };
  return query.descending
    ? { ...query, sort: "recorded", descending: false }
    : { ...query, descending: true };
}

function summarize(data: PageData, calls: readonly PageCall[]): void {
  const failed = calls.filter(({ success }) => !success).length;
  const numbers: readonly (readonly [string, string])[] = [
    ["calls", formatCount(calls.length)],
    ["succeeded", formatCount(calls.length - failed)],
    ["failed", formatCount(failed)],
  ];
  byId("title").textContent = visible(data.title);
  byId("summary").replaceChildren(
    ...numbers.map(([name, value]) => h("div", {}, h("dd", {}, value), h("dt", {}, name))),
  );
  if (data.problems.length === 0) return;
  const problems = byId("problems");
  problems.hidden = false;
  problems.append(
    h(
      "summary",
      {},
      `${formatCount(data.problems.length)} of the recording's lines could not be read`,
    ),
    h("ul", {}, ...data.problems.map((problem) => h("li", {}, visible(problem)))),
  );
}

function emptyDetail(wanted: string | undefined): HTMLElement {
  const text =
    wanted === undefined
      ? "Every call takes a path through this chart."
      : `There is no call ${visible(wanted)} in this recording.`;
  const picture = drawChart(CHART, { trace: [], step: 0, label: "Chart of a tool call" }, () => {});
  return h(
    "div",
    { class: "empty" },
    h("p", {}, text),
    h("div", { class: "picture", tabindex: 0, role: "group", "aria-label": "Chart" }, picture),
  );
}

start(JSON.parse(byId("recording").textContent ?? ""));
