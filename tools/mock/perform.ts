import { ToolError, toolOutput } from "../../src/tool.ts";
import type { MockBehaviour } from "./behaviour.ts";
import { makeEffect } from "./effect.ts";
import { makeOddShape } from "./odd-shapes.ts";
import { type MockClock, type OpenRun, untilAborted, wait } from "./run.ts";

/** What a run may use. */
export interface Stage {
  readonly clock: MockClock;
  /** Flaky runs of this mock so far, this one included. */
  readonly flakyRuns: () => number;
}

type Of<K extends MockBehaviour["kind"]> = Extract<MockBehaviour, { kind: K }>;

/** Does what a behaviour says. Throws, and returns anything that a tool may: that is its purpose. */
export function perform(behaviour: MockBehaviour, run: OpenRun, stage: Stage): unknown {
  const { signal } = run.context;
  switch (behaviour.kind) {
    case "return":
      return after(behaviour.delayMs, run, stage, () => resultOf(behaviour, run));
    case "throw":
      return after(behaviour.delayMs, run, stage, () => {
        throw Object.hasOwn(behaviour, "value") ? behaviour.value : toError(behaviour, false);
      });
    case "hang":
      return untilAborted(run.byHand, signal);
    case "ignoreAbort":
      return run.byHand;
    case "flood":
      return flood(behaviour, run);
    case "shape":
      return makeOddShape(behaviour.shape);
    case "flaky":
      return flaky(behaviour, run, stage);
    case "progress":
      return report(behaviour, run, stage);
    case "channels": {
      const { kind: _, delayMs, ...channels } = behaviour;
      return after(delayMs, run, stage, () => toolOutput(channels));
    }
    case "effect":
      return makeEffect(behaviour, run, () => resultOf(behaviour, run));
    case "generator":
      return generate(behaviour, run, stage);
    default:
      return unreachable(behaviour);
  }
}

function unreachable(behaviour: never): never {
  throw new TypeError(`The mock tool has no behaviour ${JSON.stringify(behaviour)}.`);
}

function resultOf(behaviour: { readonly value?: unknown }, run: OpenRun): unknown {
  return Object.hasOwn(behaviour, "value") ? behaviour.value : run.arguments;
}

/** Without a delay it happens before `execute` returns: no promise, no timer. */
function after(
  delayMs: number | undefined,
  run: OpenRun,
  { clock }: Stage,
  then: () => unknown,
): unknown {
  return delayMs === undefined ? then() : wait(delayMs, clock, run.context.signal).then(then);
}

function toError(spec: Of<"throw"> | Of<"flaky">, retryable: boolean): ToolError {
  return new ToolError(spec.message ?? "The mock tool was told to fail.", {
    retryable: spec.retryable ?? (retryable || spec.retryAfterMs !== undefined),
    ...(spec.code === undefined ? {} : { code: spec.code }),
    ...(spec.executed === undefined ? {} : { executed: spec.executed }),
    ...(spec.retryAfterMs === undefined ? {} : { retryAfterMs: spec.retryAfterMs }),
  });
}

function flood(
  { chars = 1_000_000, stderrChars = 0, events = 0 }: Of<"flood">,
  run: OpenRun,
): unknown {
  for (let event = 1; event <= events; event += 1) run.context.progress({ event, of: events });
  if (stderrChars === 0) return "x".repeat(chars);
  return toolOutput({ output: "x".repeat(chars), stderr: "e".repeat(stderrChars) });
}

function flaky(behaviour: Of<"flaky">, run: OpenRun, stage: Stage): unknown {
  const { failures = 1, of = "call", delayMs } = behaviour;
  const count = of === "call" ? run.context.attempt : stage.flakyRuns();
  return after(delayMs, run, stage, () => {
    if (count <= failures) throw toError(behaviour, true);
    return resultOf(behaviour, run);
  });
}

async function report(behaviour: Of<"progress">, run: OpenRun, { clock }: Stage): Promise<unknown> {
  const { events = [], everyMs } = behaviour;
  for (const event of events) {
    if (everyMs !== undefined) await wait(everyMs, clock, run.context.signal);
    run.context.progress(event);
  }
  return resultOf(behaviour, run);
}

async function* generate(
  behaviour: Of<"generator">,
  run: OpenRun,
  { clock }: Stage,
): AsyncGenerator<unknown, unknown, void> {
  const { events = [], everyMs, message } = behaviour;
  try {
    for (const event of events) {
      if (everyMs !== undefined) await wait(everyMs, clock, run.context.signal);
      yield event;
    }
    if (message !== undefined) throw new ToolError(message);
    return resultOf(behaviour, run);
  } finally {
    run.cleanUps += 1;
  }
}
