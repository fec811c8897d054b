import { HUMAN_STATE, type PageCall } from "./calls.ts";
import { drawChart } from "./chart.ts";
import { CHART } from "./chart-data.ts";
import { detailsOf } from "./details.ts";
import { h } from "./dom.ts";
import { formatDate, formatMs, formatTime, visible } from "./format.ts";
import { outcomeBadge } from "./outcome.ts";
import { createStepList, stepFacts } from "./steps.ts";
import { stageStrip } from "./strip.ts";
import { facts } from "./texts.ts";

/** One call: its path on the chart, step by step, and all that is known of it. */
export interface CallView {
  readonly element: HTMLElement;
  /** Goes forward or back on the path. */
  readonly move: (by: number) => void;
  readonly focus: () => void;
}

/** Shows a call. The last step is chosen at first. */
export function createCallView(call: PageCall, onBack: () => void): CallView {
  const title = h("h2", { tabindex: -1 }, visible(call.tool) || "(no name)");
  const path = createPathView(call);
  const back = h("button", { type: "button", class: "back" }, "← All calls");
  back.addEventListener("click", onBack);
  const head = [back, headline(call, title), failureNote(call), timeNote(call)];
  const steps = h("section", { class: "part-of-call" }, h("h3", {}, "Path"), path.steps);
  const columns = [path.drawn, h("div", { class: "told" }, steps, ...detailsOf(call))];
  const element = h(
    "article",
    { class: "call" },
    h("header", { class: "call-head" }, ...head),
    h("div", { class: "columns" }, ...columns),
  );
  return { element, move: path.move, focus: () => title.focus() };
}

interface PathView {
  readonly drawn: HTMLElement;
  readonly steps: HTMLElement;
  readonly move: (by: number) => void;
}

/** The path twice, drawn and as a list, which show the same step. */
function createPathView(call: PageCall): PathView {
  const { trace } = call.record.result.metadata;
  const last = Math.max(0, trace.length - 1);
  let at = last;
  const picture = h("div", { class: "picture", tabindex: 0, role: "group", "aria-label": "Chart" });
  const now = h("div", { class: "now" });
  const scrubber = createScrubber(trace.length, (step) => visit(step));
  const steps = createStepList(trace, (step) => go(step));
  const go = (step: number): void => {
    at = Math.min(Math.max(step, 0), last);
    const path = { trace, step: at, label: pathLabel(call) };
    picture.replaceChildren(drawChart(CHART, path, chooseState));
    scrubber.set(at);
    steps.mark(at);
    now.replaceChildren(...nowContent(call, at));
  };
  /** Goes to a step and brings its state into view. Who chooses in the list of steps looks there, and is not moved. */
  const visit = (step: number): void => {
    go(step);
    picture.querySelector(".node.current")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  /** The next visit of a state after the present step; after the last one, the first. */
  const chooseState = (state: string): void => {
    const visits = trace.flatMap((step, index) => (step.state === state ? [index] : []));
    const next = visits.find((index) => index > at) ?? visits[0];
    if (next !== undefined) go(next);
  };
  go(at);
  return {
    drawn: h(
      "div",
      { class: "drawn" },
      h("div", { class: "at" }, scrubber.element, now),
      picture,
      legend(),
      strangers(call),
    ),
    steps: steps.element,
    move: (by) => visit(at + by),
  };
}

function headline(call: PageCall, title: HTMLElement): HTMLElement {
  const code =
    call.code === undefined ? undefined : h("code", { class: "code" }, visible(call.code));
  const id = h("span", { class: "call-id" }, visible(call.callId));
  return h("div", { class: "headline" }, title, outcomeBadge(call.success), code, id);
}

function failureNote({ record }: PageCall): HTMLElement | undefined {
  const { failure } = record.result;
  if (failure === undefined) return undefined;
  const message = visible(String(failure.message));
  const short = message.length > 300 ? `${message.slice(0, 300)}…` : message;
  return h("p", { class: "failure-note" }, short);
}

/** The active time and the wait for a person stand apart: one number for both would hide slow tools. */
function timeNote(call: PageCall): HTMLElement {
  const waited = call.humanWaitMs;
  const active = facts([
    ["active", formatMs(call.latencyMs - waited)],
    ["waited for a person", waited > 0 ? formatMs(waited) : "no"],
    ["attempts", call.attempts === 0 ? "never ran" : String(call.attempts)],
    ["started", `${formatDate(call.startedAt)} ${formatTime(call.startedAt)}`],
  ]);
  return h("div", { class: "time-note" }, stageStrip(call.record.result.metadata.trace), active);
}

function pathLabel({ record }: PageCall): string {
  const { trace } = record.result.metadata;
  return `Chart of the call's path: ${trace.map(({ state }) => state).join(", ")}`;
}

function nowContent(call: PageCall, at: number): readonly Node[] {
  const { trace } = call.record.result.metadata;
  const step = trace[at];
  if (step === undefined) return [h("p", { class: "move" }, "This record has no path.")];
  const from = trace[at - 1];
  const move = from === undefined ? step.state : `${from.state} → ${step.state}`;
  return [
    h(
      "p",
      { class: "move" },
      visible(move),
      step.state === HUMAN_STATE ? h("span", { class: "try" }, "a person’s time") : undefined,
    ),
    facts(stepFacts(CHART, trace, at)),
  ];
}

function legend(): HTMLElement {
  const part = (sign: string, text: string, inside?: string): HTMLElement =>
    h("span", {}, h("span", { class: `swatch ${sign}`, "aria-hidden": "true" }, inside), text);
  return h(
    "p",
    { class: "legend" },
    part("order", "order of the steps", "1"),
    part("warm", "share of the active time"),
    part("hatched", "a person’s time"),
    part("dashed", "after this step"),
  );
}

/** States that the chart does not have: the recording is of another version. */
function strangers({ record }: PageCall): HTMLElement | undefined {
  const known = new Set(CHART.nodes.map(({ name }) => name));
  const states = record.result.metadata.trace.map(({ state }): string => state);
  const strange = [...new Set(states)].filter((state) => !known.has(state));
  if (strange.length === 0) return undefined;
  return h("p", { class: "strangers" }, `Not in this chart: ${visible(strange.join(", "))}`);
}

interface Scrubber {
  readonly element: HTMLElement;
  readonly set: (step: number) => void;
}

function createScrubber(count: number, go: (step: number) => void): Scrubber {
  const range = h("input", {
    type: "range",
    min: 1,
    max: Math.max(1, count),
    step: 1,
    "aria-label": "Step of the path",
  });
  const place = h("output", { class: "place" });
  const earlier = h("button", { type: "button", "aria-label": "Step back" }, "‹");
  const later = h("button", { type: "button", "aria-label": "Step forward" }, "›");
  range.addEventListener("input", () => go(range.valueAsNumber - 1));
  earlier.addEventListener("click", () => go(range.valueAsNumber - 2));
  later.addEventListener("click", () => go(range.valueAsNumber));
  return {
    element: h("div", { class: "scrubber" }, earlier, range, later, place),
    set(step) {
      range.valueAsNumber = step + 1;
      place.textContent = count === 0 ? "no steps" : `Step ${step + 1} of ${count}`;
      earlier.disabled = step <= 0;
      later.disabled = step >= count - 1;
    },
  };
}
