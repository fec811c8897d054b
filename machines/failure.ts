import type { Executed, FailureCode, HandledBy, Stage, ToolFailure } from "./contract.ts";

/** What is true of every failure of one code. `docs/failures.md` is compared with this table by a test. */
export interface FailureRule {
  readonly stage: Stage;
  /** The values that `executed` can have. The first is the default. */
  readonly executed: readonly [Executed, ...Executed[]];
  /** Who can mend it. The first is the default. */
  readonly handledBy: readonly [HandledBy, ...HandledBy[]];
  readonly meaning: string;
}

/** The closed family of failures: one row for each {@link FailureCode}. */
export const FAILURES: { readonly [code in FailureCode]: FailureRule } = {
  invalid_call: {
    stage: "validate",
    executed: ["no"],
    handledBy: ["model"],
    meaning: "The request is not a tool call: it has no usable id, name or context.",
  },
  unknown_tool: {
    stage: "validate",
    executed: ["no"],
    handledBy: ["model"],
    meaning: "No tool of that name is registered.",
  },
  invalid_arguments: {
    stage: "validate",
    executed: ["no"],
    handledBy: ["model"],
    meaning: "The arguments are not JSON, or break the tool's schema.",
  },
  permission_denied: {
    stage: "authorize",
    executed: ["no"],
    handledBy: ["human"],
    meaning: "The policy refused the call, or could not decide.",
  },
  approval_denied: {
    stage: "authorize",
    executed: ["no"],
    handledBy: ["human"],
    meaning: "The call needs a person's approval, which was refused.",
  },
  approval_expired: {
    stage: "authorize",
    executed: ["no"],
    handledBy: ["human"],
    meaning: "A person was asked and did not answer in time.",
  },
  overloaded: {
    stage: "queue",
    executed: ["no"],
    handledBy: ["system"],
    meaning: "The queue was full, or the call waited too long for a free slot.",
  },
  sandbox_unavailable: {
    stage: "execute",
    executed: ["no"],
    handledBy: ["human"],
    meaning: "The tool asks for an isolation that this executor cannot give. It is never lowered.",
  },
  tool_error: {
    stage: "execute",
    executed: ["yes", "no", "unknown"],
    handledBy: ["model", "system"],
    meaning: "The tool threw, rejected, failed, or said itself that it did not succeed.",
  },
  timed_out: {
    stage: "execute",
    executed: ["unknown", "yes", "no"],
    handledBy: ["system"],
    meaning: "The tool did not finish in time, or the call's whole budget was used up.",
  },
  cancelled: {
    stage: "execute",
    executed: ["no", "yes", "unknown"],
    handledBy: ["nobody"],
    meaning: "The caller cancelled the call, or the executor was closed.",
  },
  interrupted: {
    stage: "execute",
    executed: ["unknown"],
    handledBy: ["human"],
    meaning: "The process ended while the tool ran, and the tool may not be run a second time.",
  },
  invalid_output: {
    stage: "normalize",
    executed: ["yes"],
    handledBy: ["nobody"],
    meaning: "The tool ran, but its value breaks its own output schema.",
  },
  normalize_failed: {
    stage: "normalize",
    executed: ["yes"],
    handledBy: ["nobody"],
    meaning: "The tool ran, but its own normalizer threw or did not finish in time.",
  },
  internal: {
    stage: "execute",
    executed: ["unknown", "no", "yes"],
    handledBy: ["nobody"],
    meaning: "A defect of the executor itself. Please report it.",
  },
};

/** A failure of `code` with the defaults of its row; `details` override them. */
export function failureOf(
  code: FailureCode,
  message: string,
  details: Partial<Omit<ToolFailure, "code" | "message">> = {},
): ToolFailure {
  const rule = FAILURES[code];
  return {
    code,
    stage: rule.stage,
    executed: rule.executed[0],
    handledBy: rule.handledBy[0],
    message,
    ...details,
  };
}
