import { type CallView, createCallView } from "./call-view.ts";
import { type PageCall, type PageData, toPageCalls } from "./calls.ts";
import { drawChart } from "./chart.ts";
import { CHART } from "./chart-data.ts";
import { byId, h } from "./dom.ts";
import { EVERYTHING, findCalls, type Query, type SortKey } from "./find-calls.ts";
import { formatCount, visible } from "./format.ts";
import { listenToKeys } from "./keys.ts";
import { createList } from "./list.ts";
import { hrefOf, idOf } from "./route.ts";
import { createThemeSwitch } from "./theme.ts";
import { createToolbar } from "./toolbar.ts";

function start(data: PageData): void {
  const calls = toPageCalls(data);
  const detail = byId("detail");
  let query: Query = EVERYTHING;
  let listed: readonly PageCall[] = calls;
  let chosen: PageCall | undefined;
  let view: CallView | undefined;

  const list = createList({
    sort: (key) => search(sortBy(query, key)),
    open: (id) => open(id),
    begin: beginOf(calls),
  });
  const toolbar = createToolbar(calls, ({ text, tool, outcome }) => {
    const { sort, descending } = query;
    search({
      text,
      sort,
      descending,
      ...(tool === undefined ? {} : { tool }),
      ...(outcome === undefined ? {} : { outcome }),
    });
  });
  const search = (next: Query): void => {
    query = next;
    listed = findCalls(calls, query);
    list.sorted(query.sort, query.descending);
    list.show(listed, chosen?.id);
    toolbar.told(listed.length);
    byId("none").hidden = listed.length > 0;
    byId("none").textContent =
      calls.length === 0 ? "This recording holds no call." : "No call is like that.";
  };
  const show = (call: PageCall | undefined): void => {
    if (call === chosen && view !== undefined) return;
    chosen = call;
    view = call === undefined ? undefined : createCallView(call, back);
    detail.replaceChildren(view?.element ?? emptyDetail(idOf(location.hash)));
    detail.scrollTop = 0;
    list.choose(call?.id);
  };
  /** On a narrow screen the list and the call take turns. */
  const turn = (opened: boolean): void => {
    document.body.classList.toggle("opened", opened);
  };
  const back = (): void => {
    turn(false);
    list.choose(chosen?.id);
  };
  const open = (id: string): void => {
    const call = calls.find((one) => one.id === id);
    if (call === undefined) return;
    history.replaceState(null, "", hrefOf(id));
    show(call);
    turn(true);
  };
  const step = (by: number): void => {
    const index = listed.findIndex((call) => call === chosen);
    const next = listed[index < 0 ? 0 : Math.min(Math.max(index + by, 0), listed.length - 1)];
    if (next === undefined) return;
    history.replaceState(null, "", hrefOf(next.id));
    show(next);
  };
  const goTo = (hash: string): void => {
    const id = idOf(hash);
    const named = calls.find((call) => call.id === id);
    show(id === undefined ? calls[0] : named);
    turn(id !== undefined);
  };

  listenToKeys({
    next: () => step(1),
    previous: () => step(-1),
    open() {
      if (chosen === undefined) step(0);
      turn(true);
      view?.focus();
    },
    close: back,
    search: () => toolbar.focusSearch(),
    forward: () => view?.move(1),
    backward: () => view?.move(-1),
  });
  window.addEventListener("hashchange", () => goTo(location.hash));
  createThemeSwitch();
  summarize(data, calls);
  search(query);
  goTo(location.hash);
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
