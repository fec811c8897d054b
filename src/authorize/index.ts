import type {
  CallContext,
  Json,
  PolicyDecision,
  TakenCall,
  ToolFailure,
} from "../../machines/index.ts";
import { failureOf } from "../../machines/index.ts";
import { clonePlain } from "../plain.ts";
import type { AnyTool } from "../tool.ts";
import { type Policy, strictest, toDecision } from "./policy.ts";

export type { Policy, PolicyRequest, PolicyVerdict } from "./policy.ts";

/** A validated call that wants to run. */
export interface AuthorizeInput {
  readonly tool: AnyTool;
  readonly call: TakenCall;
  readonly arguments: Json;
  readonly context: CallContext;
  readonly policies: readonly Policy[];
  readonly visible?: Visible | undefined;
}

/** May a caller know of a tool? */
export type Visible = (tool: AnyTool, context: CallContext) => boolean;

/**
 * May this call run? Total: whatever a policy or predicate does, the answer is a decision. It is a promise only when a
 * policy is asynchronous (the promise never rejects); policies are not asked any more once the built-in rules deny.
 */
export function authorize(input: AuthorizeInput): PolicyDecision | Promise<PolicyDecision> {
  const denied = forbids(input);
  if (denied !== undefined) return denied;
  const answers = input.policies.map((policy, index) => ask(policy, index, input));
  const approval = requiredApproval(input);
  const known = answers.flatMap((answer) => (answer instanceof Promise ? [] : [answer]));
  return known.length === answers.length
    ? strictest([...known, approval])
    : Promise.all(answers).then((settled) => strictest([...settled, approval]));
}

/** Why this caller may not use a tool at all, whatever the arguments; `undefined`: that is left to the policies. Total. */
export function forbids(input: Asked): PolicyDecision | undefined {
  return allowList(input) ?? missingPermissions(input) ?? invisible(input);
}

/** What a denied call ends in. The model is told that it is permission, so that it does not try other arguments. */
export function toDenial(call: TakenCall, { reason, rule }: PolicyDecision): ToolFailure {
  return failureOf(
    "permission_denied",
    `Permission to run "${call.name}" was denied${reason === undefined ? "" : `: ${reason}`}` +
      `${rule === undefined ? "" : ` (rule ${rule})`}. It was not run. ` +
      "This is a matter of permission, not of the arguments: do not try again with other arguments.",
  );
}

type Asked = Pick<AuthorizeInput, "tool" | "context" | "visible">;

function allowList({ tool, context }: Asked): PolicyDecision | undefined {
  const allowed = context.allowedTools;
  if (allowed === undefined) return undefined;
  if (Array.isArray(allowed) && allowed.includes(tool.name)) return undefined;
  return {
    decision: "deny",
    rule: "context.allowedTools",
    reason: "the tool is not among those that this caller may use",
  };
}

function missingPermissions({ tool, context }: Asked): PolicyDecision | undefined {
  const held = Array.isArray(context.permissions) ? context.permissions : [];
  const missing = (tool.permissions ?? []).filter((name) => !held.includes(name));
  if (missing.length === 0) return undefined;
  return {
    decision: "deny",
    rule: "tool.permissions",
    reason: `the caller lacks the permission${missing.length > 1 ? "s" : ""} ${missing.join(", ")}`,
  };
}

function invisible({ tool, context, visible }: Asked): PolicyDecision | undefined {
  try {
    if (visible === undefined || visible(tool, context) === true) return undefined;
  } catch {
    // Who cannot say yes says no.
  }
  return {
    decision: "deny",
    rule: "visible",
    reason: "the tool is not among those that this caller may use",
  };
}

function requiredApproval({
  tool,
  arguments: args,
  context,
}: AuthorizeInput): PolicyDecision | undefined {
  const { requiresApproval } = tool;
  if (requiresApproval === undefined || requiresApproval === false) return undefined;
  const asked: PolicyDecision = {
    decision: "ask",
    rule: "tool.requiresApproval",
    reason: "the tool asks for a person's approval",
  };
  if (requiresApproval === true) return asked;
  try {
    return requiresApproval(clonePlain(args), context) === false ? undefined : asked;
  } catch {
    return { ...asked, reason: "the tool's own predicate failed, so a person is asked" };
  }
}

function ask(
  policy: Policy,
  index: number,
  { tool, call, arguments: args, context }: AuthorizeInput,
): PolicyDecision | undefined | Promise<PolicyDecision | undefined> {
  const rule = policy.name === "" ? `policy ${index + 1}` : policy.name;
  const failed = (): PolicyDecision => ({ decision: "deny", rule, reason: "the policy failed" });
  try {
    const verdict = policy({ tool, call, arguments: clonePlain(args), context });
    if (!isThenable(verdict)) return toDecision(verdict, rule);
    return Promise.resolve(verdict)
      .then((settled) => toDecision(settled, rule))
      .catch(failed);
  } catch {
    return failed();
  }
}

function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return (
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}
