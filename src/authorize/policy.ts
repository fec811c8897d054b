import type { CallContext, Json, PolicyDecision, TakenCall } from "../../machines/index.ts";
import type { AnyTool } from "../tool.ts";

/** What a policy is asked: may this caller make this call? */
export interface PolicyRequest {
  readonly call: TakenCall;
  readonly tool: AnyTool;
  /** The validated arguments: an own copy, whose mutation has no effect. */
  readonly arguments: Json;
  readonly context: CallContext;
}

/** A decision in short or in full; `undefined` means that the policy has no opinion. */
export type PolicyVerdict = PolicyDecision["decision"] | PolicyDecision | undefined;

/**
 * Says whether a call may run. A policy that throws, rejects, answers something else or takes too long denies.
 * Of several policies the strictest wins: deny beats ask beats allow.
 */
export type Policy = (request: PolicyRequest) => PolicyVerdict | PromiseLike<PolicyVerdict>;

/** What a policy's answer means; anything that is not a verdict denies. */
export function toDecision(verdict: unknown, rule: string): PolicyDecision | undefined {
  if (verdict === undefined) return undefined;
  if (isBehaviour(verdict)) return { decision: verdict, rule };
  const { decision, reason, rule: named } = fieldsOf(verdict);
  if (!isBehaviour(decision)) {
    return { decision: "deny", rule, reason: "the policy gave no usable answer" };
  }
  return {
    decision,
    rule: typeof named === "string" ? named : rule,
    ...(typeof reason === "string" ? { reason } : {}),
  };
}

function fieldsOf(verdict: unknown): { readonly [field in keyof PolicyDecision]?: unknown } {
  return typeof verdict === "object" && verdict !== null ? verdict : {};
}

function isBehaviour(value: unknown): value is PolicyDecision["decision"] {
  return value === "allow" || value === "deny" || value === "ask";
}

const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;

/** The strictest of some decisions; of equally strict ones the first. No opinion at all allows. */
export function strictest(decisions: readonly (PolicyDecision | undefined)[]): PolicyDecision {
  let result: PolicyDecision | undefined;
  for (const decision of decisions) {
    if (decision === undefined) continue;
    if (result === undefined || STRICTNESS[decision.decision] > STRICTNESS[result.decision]) {
      result = decision;
    }
  }
  return result ?? { decision: "allow", rule: "default" };
}
