import type { TraceStep } from "../../machines/contract.ts";
import { durationOf, findTaken, HUMAN_STATE } from "./calls.ts";
import type { ChartDrawing, DrawnEdge, DrawnTransition } from "./chart-drawing.ts";
import { h } from "./dom.ts";
import { formatMs, visible } from "./format.ts";
import { stageClass } from "./strip.ts";

/** The path of a call as a list: number, state, time (bar and number), what caused the step. */
export interface StepList {
  readonly element: HTMLElement;
  readonly mark: (step: number) => void;
}

/** Makes the list. `choose` gets the index of a step. */
export function createStepList(
  trace: readonly TraceStep[],
  choose: (step: number) => void,
): StepList {
  const longest = Math.max(
    0,
    ...trace.filter(({ state }) => state !== HUMAN_STATE).map(durationOf),
  );
  const buttons = trace.map((step, index) => {
    const button = h(
      "button",
      { type: "button", class: "step" },
      ...stepContent(step, index, longest),
    );
    button.addEventListener("click", () => choose(index));
    return button;
  });
  return {
    element: h("ol", { class: "steps" }, ...buttons.map((button) => h("li", {}, button))),
    mark(step) {
      for (const [index, button] of buttons.entries()) {
        if (index === step) button.setAttribute("aria-current", "step");
        else button.removeAttribute("aria-current");
        button.classList.toggle("ahead", index > step);
      }
    },
  };
}

function stepContent(step: TraceStep, index: number, longest: number): readonly Node[] {
  const human = step.state === HUMAN_STATE;
  const bar = h("span", { class: `bar ${stageClass(step.state)}` });
  const share = human ? 1 : longest === 0 ? 0 : durationOf(step) / longest;
  bar.style.width = `${Math.max(share * 100, durationOf(step) > 0 ? 1 : 0)}%`;
  const attempt =
    step.state === "executing" && step.attempt > 0 ? `try ${step.attempt}` : undefined;
  return [
    h("span", { class: "number" }, index + 1),
    h(
      "span",
      { class: "state" },
      visible(step.state),
      attempt === undefined ? undefined : h("span", { class: "try" }, attempt),
    ),
    h("span", { class: "took" }, step.leftAt === undefined ? "end" : formatMs(durationOf(step))),
    ...(step.leftAt === undefined ? [] : [h("span", { class: "track" }, bar)]),
    h("span", { class: "cause" }, human ? `${causeOf(step)} · a person’s time` : causeOf(step)),
  ];
}

function causeOf({ event, guard }: TraceStep): string {
  return visible(guard === undefined ? event : `${event} [${guard}]`);
}

/** What led into a step, in one line: the states, the transition taken, its guard, the event, and when. */
export function stepFacts(
  drawing: ChartDrawing,
  trace: readonly TraceStep[],
  index: number,
): readonly (readonly [name: string, value: string])[] {
  const step = trace[index];
  if (step === undefined) return [];
  const from = trace[index - 1];
  const taken =
    from === undefined
      ? undefined
      : findTaken<DrawnTransition, DrawnEdge>(drawing.edges, from, step);
  const transition =
    from === undefined ? "entered first" : (taken?.transition.event ?? "not in this chart");
  return [
    ["transition", transition],
    ["guard", step.guard ?? "none"],
    ["event", step.event],
    ["entered", `+${formatMs(step.enteredAt)}`],
    ["stayed", step.leftAt === undefined ? "the end" : formatMs(durationOf(step))],
  ];
}
