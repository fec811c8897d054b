import type { TraceStep } from "../../machines/contract.ts";
import { durationOf, HUMAN_STATE } from "./calls.ts";
import { h } from "./dom.ts";

const STAGES: ReadonlySet<string> = new Set([
  "validating",
  "authorizing",
  "awaitingApproval",
  "queued",
  "executing",
  "interrupting",
  "backingOff",
  "normalizing",
  "tracing",
]);

/** The class that colours a state. Names from a recording never become part of one. */
export function stageClass(state: string): string {
  return STAGES.has(state) ? `stage-${state}` : "stage-other";
}

/**
 * A bar of what the stages of a call took, one after another. The wait for a person is drawn with a fixed width, hatched:
 * next to minutes of it nothing else would be seen. Decoration: the numbers stand elsewhere as text.
 */
export function stageStrip(trace: readonly TraceStep[]): HTMLElement {
  const strip = h("div", { class: "strip", "aria-hidden": "true" });
  const total = trace
    .filter(({ state }) => state !== HUMAN_STATE)
    .reduce((sum, step) => sum + durationOf(step), 0);
  for (const step of trace) {
    const ms = durationOf(step);
    if (ms === 0) continue;
    const part = h("span", { class: `part ${stageClass(step.state)}` });
    if (step.state !== HUMAN_STATE) part.style.flexGrow = String(Math.max(0.01, ms / total));
    strip.append(part);
  }
  return strip;
}
