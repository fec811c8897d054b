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

/** Makes the list inside of the page's own markup. */
export function createList(on: {
  readonly sort: (key: SortKey) => void;
  readonly open: (id: string) => void;
  /** Epoch milliseconds from which the starts are counted. */
  readonly begin: number;
}): CallList {
  const scroller = byId("rows");
  const above = spacer();
  const below = spacer();
  const body = h("tbody");
  const heads = new Map(COLUMNS.map(([key, title]) => [key, columnHead(key, title, on.sort)]));
  const table = h("table", {}, h("thead", {}, h("tr", {}, ...heads.values())), body);
  scroller.replaceChildren(table);
  let calls: readonly PageCall[] = [];
  let chosen: string | undefined;
  let seen = "";

  const draw = (): void => {
    const first = Math.max(0, Math.floor(scroller.scrollTop / ROW) - SPARE);
    const last = Math.min(calls.length, first + Math.ceil(scroller.clientHeight / ROW) + 2 * SPARE);
    const now = `${first} ${last}`;
    if (now === seen) return;
    seen = now;
    above.style.height = `${first * ROW}px`;
    below.style.height = `${(calls.length - last) * ROW}px`;
    const rows = calls
      .slice(first, last)
      .map((call, at) =>
        row(call, { index: first + at, chosen: call.id === chosen, begin: on.begin }),
      );
    body.replaceChildren(above, ...rows, below);
  };
  scroller.addEventListener("scroll", draw, { passive: true });
  new ResizeObserver(draw).observe(scroller);
  body.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target.closest("tr") : null;
    const id = target?.dataset["id"];
    if (id === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    on.open(id);
  });

  const redraw = (): void => {
    seen = "";
    draw();
  };
  return {
    show(next, id) {
      calls = next;
      chosen = id;
      table.setAttribute("aria-rowcount", String(calls.length + 1));
      redraw();
    },
    choose(id) {
      chosen = id;
      const index = calls.findIndex((call) => call.id === id);
      if (index >= 0) reveal(scroller, index);
      redraw();
    },
    sorted(key, descending) {
      for (const [name, head] of heads) {
        if (name === key) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      }
    },
  };
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
  const link = h("a", { href: hrefOf(call.id), "aria-current": chosen ? "true" : undefined }, name);
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
    second === undefined ? undefined : h("div", { class: "second" }, second),
  );
}
