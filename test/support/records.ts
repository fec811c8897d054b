/** Records of calls as sinks get them, with every kind of ending, built by hand: what shows recordings is tested with them. */
import type {
  CallRecord,
  FailureCode,
  Json,
  LateRecord,
  StateName,
  ToolFailure,
  ToolMetadata,
  ToolResult,
  TraceStep,
} from "../../machines/index.ts";
import { failureOf } from "../../machines/index.ts";

/** A state, the milliseconds in it, the event that caused the entry, the guard that decided, the attempt. */
type Step = readonly [
  state: StateName,
  ms: number,
  event: string,
  guard?: string | undefined,
  attempt?: number,
];

interface CallPlan {
  readonly id: string;
  readonly tool: string;
  readonly arguments?: Json;
  readonly got?: Json;
  readonly steps: readonly Step[];
  readonly output?: string;
  readonly failure?: ToolFailure;
  readonly error?: string;
  readonly metadata?: Partial<ToolMetadata>;
  readonly context?: CallRecord["context"];
}

const START = Date.UTC(2026, 10, 12, 9, 30, 0);
let built = 0;

/** Builds a record; times follow from the steps. */
export function buildRecord(plan: CallPlan): CallRecord {
  built += 1;
  const executionId = `execution-${plan.id}`;
  const trace = toTrace(plan.steps);
  const startedAt = START + built * 137.25;
  const { failure, output, error = failure?.message } = plan;
  const timings: { [state in StateName]?: number } = {};
  for (const { state, enteredAt, leftAt = enteredAt } of trace) {
    timings[state] = (timings[state] ?? 0) + leftAt - enteredAt;
  }
  const result: ToolResult = {
    callId: plan.id,
    toolName: plan.tool,
    success: failure === undefined,
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error }),
    ...(failure === undefined ? {} : { failure }),
    latencyMs: trace.at(-1)?.enteredAt ?? 0,
    metadata: {
      executionId,
      startedAt,
      stages: trace.map(({ state }) => state),
      trace,
      attempts: Math.max(0, ...trace.map(({ attempt }) => attempt)),
      timings,
      humanWaitMs: timings.awaitingApproval ?? 0,
      ...plan.metadata,
    },
  };
  return {
    type: "call",
    version: 1,
    executionId,
    call: { id: plan.id, name: plan.tool, arguments: plan.arguments ?? {} },
    context: plan.context ?? {},
    ...(plan.got === undefined ? {} : { arguments: plan.got }),
    result,
  };
}

function toTrace(steps: readonly Step[]): readonly TraceStep[] {
  let at = 0;
  return steps.map(([state, ms, event, guard, attempt = 0], index) => {
    const enteredAt = at;
    at = Math.round((at + ms) * 1000) / 1000;
    const last = index === steps.length - 1;
    return {
      state,
      enteredAt,
      ...(last ? {} : { leftAt: at }),
      event,
      ...(guard === undefined ? {} : { guard }),
      attempt,
    };
  });
}

const received: Step = ["validating", 0.412, "call.received"];
const authorizing: Step = ["authorizing", 0.118, "call.start", "argumentsAreValid"];
const begun: readonly Step[] = [
  received,
  authorizing,
  ["queued", 0.031, "call.start", "isAuthorized"],
];

function executing(ms: number, attempt = 1, event = "call.start"): Step {
  return ["executing", ms, event, "hasSlot", attempt];
}

function ending(
  state: "succeeded" | "failed",
  from: readonly [event: string, guard?: string],
  attempt = 1,
): readonly Step[] {
  const [event, guard] = from;
  return [
    ["normalizing", 0.094, event, guard, attempt],
    ["tracing", 0.041, event, "isNormalized", attempt],
    state === "succeeded"
      ? [state, 0, event, "isSuccess", attempt]
      : [state, 0, event, undefined, attempt],
  ];
}

const succeeded = ending("succeeded", ["attempt.done", "attemptReturned"]);

/** One call of each kind of ending, by name. */
export const RECORDS = {
  succeeded: buildRecord({
    id: "weather",
    tool: "weather",
    arguments: { city: "Lisbon", unit: "celsius" },
    steps: [...begun, executing(182.4), ...succeeded],
    output: '{"city":"Lisbon","temperature":19.5,"sky":"clear"}',
    metadata: {
      structured: { city: "Lisbon", temperature: 19.5, sky: "clear" },
      decision: { decision: "allow", rule: "default" },
    },
    context: { user: "mira", roles: ["traveller"] },
  }),
  retried: buildRecord({
    id: "stock",
    tool: "stock_level",
    arguments: { sku: "KX-104" },
    steps: [
      ...begun,
      executing(31.2),
      ["backingOff", 204.1, "attempt.done", "mayRetry", 1],
      executing(28.9, 2, "after.backoff"),
      ["backingOff", 391.7, "attempt.done", "mayRetry", 2],
      executing(33.5, 3, "after.backoff"),
      ...ending("succeeded", ["attempt.done", "attemptReturned"], 3),
    ],
    output: '{"units":42}',
    metadata: {
      retried: [
        failureOf("tool_error", "The warehouse answered 503.", {
          handledBy: "system",
          retryable: true,
          retryAfterMs: 200,
        }),
        failureOf("tool_error", "The connection was reset.", {
          executed: "unknown",
          retryable: true,
        }),
      ],
    },
  }),
  approvedEdited: buildRecord({
    id: "invoice",
    tool: "send_invoice",
    arguments: { to: "all@example.org", amount: 12000 },
    got: { to: "finance@example.org", amount: 1200 },
    steps: [
      received,
      authorizing,
      ["awaitingApproval", 74_310.2, "call.start", "needsApproval"],
      ["validating", 0.201, "call.approve", "argumentsAreEdited"],
      ["authorizing", 0.09, "call.approve", "argumentsAreValid"],
      ["queued", 0.02, "call.approve", "isAuthorized"],
      executing(412.9, 1, "call.approve"),
      ...succeeded,
    ],
    output: "Sent.",
    metadata: {
      decision: { decision: "ask", rule: "money", reason: "It sends money." },
      approval: {
        decision: "approved",
        by: "mira",
        reason: "Wrong list.",
        decidedAt: START,
        edited: true,
      },
      tool: { messageId: "m-1" },
      shown: ["messageId"],
    },
  }),
  invalid: buildRecord({
    id: "divide",
    tool: "divide",
    arguments: '{"dividend": "ten"}',
    steps: [received, ...ending("failed", ["call.start", "callIsInvalid"], 0)],
    failure: failureOf(
      "invalid_arguments",
      "The arguments of divide do not fit: /dividend must be a number; /divisor is missing.",
      {
        faults: [
          { path: "/dividend", keyword: "type", message: "must be a number, is a string" },
          { path: "/divisor", keyword: "required", message: "is missing" },
        ],
      },
    ),
  }),
  unknownTool: buildRecord({
    id: "misspelt",
    tool: "wether",
    steps: [received, ...ending("failed", ["call.start", "callIsInvalid"], 0)],
    failure: failureOf("unknown_tool", "There is no tool wether. Did you mean weather?", {
      nearest: ["weather"],
    }),
  }),
  denied: buildRecord({
    id: "delete",
    tool: "delete_account",
    arguments: { id: 7 },
    steps: [received, authorizing, ...ending("failed", ["call.start", "isDenied"], 0)],
    failure: failureOf("permission_denied", "The caller lacks the permission accounts.delete."),
    metadata: {
      decision: { decision: "deny", reason: "lacks accounts.delete", rule: "permissions" },
    },
  }),
  approvalExpired: buildRecord({
    id: "nobody",
    tool: "send_invoice",
    steps: [
      received,
      authorizing,
      ["awaitingApproval", 600_000, "call.start", "needsApproval"],
      ...ending("failed", ["after.approvalTimeout"], 0),
    ],
    failure: failureOf("approval_expired", "Nobody answered within 10 minutes."),
  }),
  overloaded: buildRecord({
    id: "label",
    tool: "print_label",
    steps: [
      received,
      authorizing,
      ["queued", 5_000, "call.start", "isAuthorized"],
      ...ending("failed", ["queue.timeout"], 0),
    ],
    failure: failureOf("overloaded", "No slot became free within 5 s.", {
      retryable: true,
      retryAfterMs: 2_000,
    }),
  }),
  toolError: buildRecord({
    id: "exit",
    tool: "run_command",
    arguments: { command: "make report" },
    steps: [...begun, executing(84.2), ...ending("failed", ["attempt.done"])],
    failure: failureOf("tool_error", "run_command exited with code 2.", {
      cause: {
        name: "ExitError",
        message: "code 2",
        stack: "ExitError: code 2\n    at run (run-command.ts:88:11)",
      },
    }),
    output: "building",
    metadata: {
      exitCode: 2,
      stderr: "no rule to make target 'report'",
      tool: { command: "make report" },
    },
  }),
  timedOut: buildRecord({
    id: "deaf",
    tool: "export_all",
    steps: [
      ...begun,
      executing(2_000),
      ["interrupting", 250, "after.executionTimeout", undefined, 1],
      ...ending("failed", ["after.grace"]),
    ],
    failure: failureOf(
      "timed_out",
      "export_all did not finish within 2 s and did not stop when told to.",
    ),
  }),
  cancelled: buildRecord({
    id: "watch",
    tool: "watch_queue",
    steps: [
      ...begun,
      executing(640),
      ["interrupting", 3.1, "call.cancel", undefined, 1],
      ...ending("failed", ["attempt.done"]),
    ],
    failure: failureOf("cancelled", "The call was cancelled: the user closed the chat.", {
      executed: "unknown",
    }),
  }),
  restored: buildRecord({
    id: "restored",
    tool: "stock_level",
    steps: [
      ...begun,
      executing(120),
      ["queued", 0.4, "call.resume", "mayRunAgain", 1],
      executing(41.7, 2, "call.resume"),
      ...ending("succeeded", ["attempt.done", "attemptReturned"], 2),
    ],
    output: "",
  }),
} as const satisfies { readonly [name: string]: CallRecord };

/** What came after `RECORDS.timedOut` had ended. */
export const LATE: LateRecord = {
  type: "late",
  version: 1,
  executionId: RECORDS.timedOut.executionId,
  callId: "deaf",
  toolName: "export_all",
  attempt: 1,
  at: 9_120.4,
  outcome: { status: "returned", value: { rows: 1_204 } },
};

/** Many calls, each a copy of one of the above under an id of its own. */
export function manyRecords(count: number): readonly CallRecord[] {
  const kinds = Object.values(RECORDS);
  return Array.from({ length: count }, (_, index) => {
    const kind = kinds[index % kinds.length] ?? RECORDS.succeeded;
    return {
      ...kind,
      executionId: `execution-${index}`,
      call: { ...kind.call, id: `call-${index}` },
    };
  });
}

/** A call whose every text tries to leave its place. */
export function hostileRecord(text: string): CallRecord {
  const code = text as FailureCode;
  return buildRecord({
    id: `hostile ${text}`,
    tool: text,
    arguments: { [text]: text },
    steps: [received, [text as StateName, 1, text, text, 1], ["failed", 0, text]],
    failure: {
      ...failureOf("tool_error", text, {
        nearest: [text],
        faults: [{ path: text, keyword: text, message: text }],
      }),
      code,
    },
    output: text,
    metadata: {
      stderr: text,
      tool: { [text]: text },
      shown: [text],
      structured: text,
      losses: [text],
    },
    context: { user: text },
  });
}
