import type { PageCall } from "./calls.ts";
import { byId, h } from "./dom.ts";
import type { SortKey } from "./find-calls.ts";
import { formatMs, formatTime, plural, visible } from "./format.ts";
import { outcomeBadge } from "./outcome.ts";
import { hrefOf } from "./route.ts";
import { stageStrip } from "./strip.ts";

/** The height of every row, in CSS pixels; `style.css` says the same. */
const ROW = 46;
/** Rows that are kept above and below what is seen. */
const SPARE = 8;

/** The table of calls. Only rows near the seen part are in the document, so 10,000 calls are as quick as ten. */
export interface CallList {
  readonly show: (calls: readonly PageCall[], chosen: string | undefined) => void;
  readonly choose: (chosen: string | undefined) => void;
  readonly sorted: (key: SortKey, descending: boolean) => void;
}

const COLUMNS: readonly (readonly [key: SortKey, title: string])[] = [
  ["tool", "Tool"],
  ["outcome", "Outcome"],
  ["stages", "Stages"],
  ["attempts", "Tries"],
  ["latency", "Latency"],
  ["started", "Started"],
];

/** What the list asks of the page. */
export interface ListNeeds {
  readonly sort: (key: SortKey) => void;
  readonly open: (id: string) => void;
  /** Epoch milliseconds from which the starts are counted. */
  readonly begin: number;
}

/** Makes the list inside of the page's own markup. */
export function createList(needs: ListNeeds): CallList {
  const scroller = byId("rows");
  const heads = new Map(COLUMNS.map(([key, title]) => [key, columnHead(key, title, needs.sort)]));
  const rows = createRows(scroller, needs.begin);
  const table = h("table", {}, h("thead", {}, h("tr", {}, ...heads.values())), rows.body);
  scroller.replaceChildren(table);
  openOnClick(rows.body, needs.open);
  let calls: readonly PageCall[] = [];
  return {
    show(next, chosen) {
      calls = next;
      table.setAttribute("aria-rowcount", String(calls.length + 1));
      rows.set(calls, chosen);
    },
    choose(chosen) {
      const index = calls.findIndex(({ id }) => id === chosen);
      if (index >= 0) reveal(scroller, index);
      rows.set(calls, chosen);
    },
    sorted(key, descending) {
      for (const [name, head] of heads) {
        if (name !== key) head.removeAttribute("aria-sort");
        else head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      }
    },
  };
}

interface Rows {
  readonly body: HTMLElement;
  readonly set: (calls: readonly PageCall[], chosen: string | undefined) => void;
}

/** The body of the table: the rows near the seen part, between two spacers as high as the others. */
function createRows(scroller: HTMLElement, begin: number): Rows {
  const [above, below] = [spacer(), spacer()];
  const body = h("tbody");
  let calls: readonly PageCall[] = [];
  let chosen: string | undefined;
  let drawn = "";
  const draw = (): void => {
    const first = Math.max(0, Math.floor(scroller.scrollTop / ROW) - SPARE);
    const last = Math.min(calls.length, first + Math.ceil(scroller.clientHeight / ROW) + 2 * SPARE);
    const wanted = `${first} ${last}`;
    if (wanted === drawn) return;
    drawn = wanted;
    above.style.height = `${first * ROW}px`;
    below.style.height = `${(calls.length - last) * ROW}px`;
    const rows = calls
      .slice(first, last)
      .map((call, at) => row(call, { index: first + at, chosen: call.id === chosen, begin }));
    body.replaceChildren(above, ...rows, below);
  };
  scroller.addEventListener("scroll", draw, { passive: true });
  new ResizeObserver(draw).observe(scroller);
  return {
    body,
    set(next, id) {
      calls = next;
      chosen = id;
      drawn = "";
      draw();
    },
  };
}

function openOnClick(body: HTMLElement, open: (id: string) => void): void {
  body.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target.closest("tr") : null;
    const id = target?.dataset["id"];
    if (id === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(id);
  });
}

function reveal(scroller: HTMLElement, index: number): void {
  const top = index * ROW;
  const head = scroller.querySelector("thead")?.clientHeight ?? 0;
  const room = scroller.clientHeight - head - ROW;
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (top > scroller.scrollTop + room) scroller.scrollTop = top - room;
}

function spacer(): HTMLElement {
  return h("tr", { class: "spacer", "aria-hidden": "true" });
}

function columnHead(key: SortKey, title: string, sort: (key: SortKey) => void): HTMLElement {
  const button = h("button", { type: "button" }, title);
  button.addEventListener("click", () => sort(key));
  return h("th", { scope: "col", class: `column-${key}` }, button);
}

interface RowPlace {
  readonly index: number;
  readonly chosen: boolean;
  /** When the first call of the recording began: the others are told from there. */
  readonly begin: number;
}

function row(call: PageCall, place: RowPlace): HTMLElement {
  const { index, chosen, begin } = place;
  const name = visible(call.tool) || "(no name)";
  const current = chosen ? "true" : undefined;
  // Narrow columns cut long names: the whole one is told to whoever points at it.
  const link = h("a", { href: hrefOf(call.id), title: name, "aria-current": current }, name);
  const wait = call.humanWaitMs > 0 ? `wait ${formatMs(call.humanWaitMs)}` : undefined;
  return h(
    "tr",
    { "data-id": call.id, "aria-rowindex": index + 2, class: chosen ? "chosen" : undefined },
    cell("tool", link, visible(call.callId)),
    cell(
      "outcome",
      outcomeBadge(call.success),
      call.code === undefined ? undefined : visible(call.code),
    ),
    cell("stages", stageStrip(call.record.result.metadata.trace), plural(call.stages, "stage")),
    cell("attempts", String(call.attempts)),
    cell("latency", formatMs(call.latencyMs), wait),
    cell("started", formatTime(call.startedAt).slice(0, 8), `+${formatMs(call.startedAt - begin)}`),
  );
}

function cell(column: SortKey, first: Node | string, second?: string): HTMLElement {
  return h(
    "td",
    { class: `column-${column}` },
    h("div", { class: "first" }, first),
    second === undefined ? undefined : h("div", { class: "second", title: second }, second),
  );
}
