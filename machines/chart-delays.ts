import type { ToolCallContext } from "./tool-call-context.ts";

/** Node's timers fire at once when they are given more than this. */
export const MAX_DELAY_MS = 2_147_483_647;

/** Delays that end at the absolute deadlines of the context, so that they mean the same after a restore. */
export function chartDelays(now: () => number) {
  // Rounded up: a timer that fires a fraction of a millisecond early would end a state before its deadline.
  const left = ({ context }: { readonly context: ToolCallContext }) =>
    Math.min(MAX_DELAY_MS, Math.max(0, Math.ceil((context.stateDeadlineAt ?? 0) - now())));
  return {
    approvalTimeout: left,
    queueTimeout: left,
    executionTimeout: left,
    grace: left,
    backoff: left,
    policyTimeout: left,
    normalizerTimeout: left,
  };
}
