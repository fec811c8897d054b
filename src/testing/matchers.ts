import type { FailureCode, StateName, ToolFailure, ToolResult } from "../../machines/index.ts";
import { explain } from "../trace/index.ts";

/** What the matchers look at: a result, or a list of states as `recordStages` gives it. */
export type Passed = ToolResult | readonly StateName[];

/** What a failure is compared with, besides its stage. */
export interface ExpectedFailure {
  readonly code?: FailureCode;
  readonly executed?: ToolFailure["executed"];
  /** A part of the text for the model, or a pattern that it fits. */
  readonly message?: string | RegExp;
}

/** The matchers, as they are seen on `expect(result)`. */
export interface CallchartMatchers<R = unknown> {
  /** The call entered exactly these states, in this order. */
  toHavePassed(stages: readonly StateName[]): R;
  /** The call failed at this stage: `validate`, `authorize`, `queue`, `execute`, `normalize`. */
  toHaveFailedAt(stage: ToolFailure["stage"], expected?: ExpectedFailure): R;
}

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/** For `expect.extend(callchartMatchers)`, in vitest and in jest. */
export const callchartMatchers = {
  toHavePassed(received: unknown, stages: readonly StateName[]): MatcherResult {
    const actual = stagesOf(received);
    if (actual === undefined) return unusable("toHavePassed", received);
    const pass =
      actual.length === stages.length && actual.every((state, at) => state === stages[at]);
    return {
      pass,
      actual,
      expected: stages,
      message: () =>
        pass
          ? `expected the call not to pass ${list(stages)}, but it did`
          : [
              "expected the call to pass other stages:",
              ...compare(actual, stages),
              ...why(received),
            ].join("\n"),
    };
  },
  toHaveFailedAt(
    received: unknown,
    stage: ToolFailure["stage"],
    expected: ExpectedFailure = {},
  ): MatcherResult {
    if (!isResult(received)) return unusable("toHaveFailedAt", received);
    const { failure } = received;
    const wanted = { stage, ...expected };
    if (failure === undefined) {
      return {
        pass: false,
        actual: { success: received.success },
        expected: wanted,
        message: () =>
          `expected the call to fail at "${stage}", but it succeeded: ${received.output ?? ""}`,
      };
    }
    const faults = differences(failure, wanted);
    return {
      pass: faults.length === 0,
      actual: failure,
      expected: wanted,
      message: () =>
        faults.length === 0
          ? `expected the call not to fail at "${stage}" with ${failure.code}, but it did`
          : ["expected the call to fail in another way:", ...faults, ...why(received)].join("\n"),
    };
  },
};

function stagesOf(received: unknown): readonly string[] | undefined {
  if (isResult(received)) return received.metadata.stages;
  return Array.isArray(received) && received.every((state) => typeof state === "string")
    ? received
    : undefined;
}

function isResult(received: unknown): received is ToolResult {
  return (
    typeof received === "object" &&
    received !== null &&
    "success" in received &&
    "metadata" in received &&
    typeof received.metadata === "object" &&
    received.metadata !== null &&
    "stages" in received.metadata
  );
}

function unusable(matcher: string, received: unknown): MatcherResult {
  return {
    pass: false,
    message: () =>
      `${matcher} looks at a ToolResult${matcher === "toHavePassed" ? " or a list of states" : ""}, not at ${String(received)}. ` +
      "Was an `await` forgotten?",
  };
}

/** Both lists side by side, with the first difference marked. */
function compare(actual: readonly string[], expected: readonly string[]): string[] {
  const rows = Math.max(actual.length, expected.length);
  return Array.from({ length: rows }, (_, at) => {
    const is = actual[at];
    const should = expected[at];
    if (is === should) return `    ${is}`;
    return `  ✗ ${is ?? "(nothing more)"}   expected: ${should ?? "(nothing more)"}`;
  });
}

function differences(
  failure: ToolFailure,
  wanted: ExpectedFailure & { readonly stage: string },
): string[] {
  const fields = (["stage", "code", "executed"] as const).flatMap((field) => {
    const should = wanted[field];
    return should === undefined || failure[field] === should
      ? []
      : [`  ✗ ${field}: ${failure[field]}   expected: ${should}`];
  });
  const { message } = wanted;
  const fits =
    message === undefined ||
    (typeof message === "string"
      ? failure.message.includes(message)
      : message.test(failure.message));
  return fits
    ? fields
    : [...fields, `  ✗ message: ${failure.message}   expected: ${String(message)}`];
}

function list(stages: readonly string[]): string {
  return stages.join(" → ");
}

function why(received: unknown): string[] {
  return isResult(received) ? ["", "what happened:", explain(received.metadata.trace)] : [];
}
