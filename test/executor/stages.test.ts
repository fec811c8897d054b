import { describe, expect, it } from "vitest";
import type { FailureCode, StateName, ToolFailure } from "../../machines/index.ts";
import { type AnyTool, type Policy, ToolError, toolOutput } from "../../src/index.ts";
import { callchartMatchers, createTestExecutor } from "../../src/testing/index.ts";
import "../../src/testing/vitest.ts";

expect.extend(callchartMatchers);

const SHORT: StateName[] = ["validating", "normalizing", "tracing", "failed"];
const DENIED: StateName[] = ["validating", "authorizing", "normalizing", "tracing", "failed"];
const RUN: StateName[] = [
  "validating",
  "authorizing",
  "queued",
  "executing",
  "normalizing",
  "tracing",
];
const inputSchema = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
  additionalProperties: false,
};

interface Row {
  readonly title: string;
  readonly tool?: Partial<AnyTool>;
  readonly call?: { readonly name?: string; readonly arguments?: unknown };
  readonly context?: Record<string, unknown>;
  readonly policy?: Policy;
  readonly stages: readonly StateName[];
  readonly output?: string;
  readonly failure?: Partial<ToolFailure> & { readonly code: FailureCode };
}

const boom = (): never => {
  throw new Error("boom");
};

const rows: readonly Row[] = [
  { title: "runs every stage of a good call", stages: [...RUN, "succeeded"], output: "hi" },
  {
    title: "reads arguments given as JSON text",
    call: { arguments: '{"text":"from text"}' },
    stages: [...RUN, "succeeded"],
    output: "from text",
  },
  {
    title: "refuses an unknown tool with the nearest name",
    call: { name: "ecoh" },
    stages: SHORT,
    failure: { code: "unknown_tool", stage: "validate", executed: "no", nearest: ["echo"] },
  },
  {
    title: "never looks tools up on a prototype",
    call: { name: "constructor" },
    stages: SHORT,
    failure: { code: "unknown_tool" },
  },
  {
    title: "refuses arguments that break the schema",
    call: { arguments: { text: 3, more: true } },
    stages: SHORT,
    failure: { code: "invalid_arguments", executed: "no", handledBy: "model" },
  },
  {
    title: "refuses arguments that are not JSON",
    call: { arguments: "{'text': " },
    stages: SHORT,
    failure: { code: "invalid_arguments" },
  },
  {
    title: "denies what the caller's allow-list does not hold",
    context: { allowedTools: ["other"] },
    stages: DENIED,
    failure: { code: "permission_denied", handledBy: "human", executed: "no" },
  },
  {
    title: "denies a caller without the permission that the tool needs",
    tool: { permissions: ["write"] },
    context: { permissions: ["read"] },
    stages: DENIED,
    failure: { code: "permission_denied" },
  },
  {
    title: "lets a caller with the permission pass",
    tool: { permissions: ["write"] },
    context: { permissions: ["read", "write"] },
    stages: [...RUN, "succeeded"],
    output: "hi",
  },
  {
    title: "denies when the policy throws",
    policy: boom,
    stages: DENIED,
    failure: { code: "permission_denied" },
  },
  {
    title: "denies when the policy rejects",
    policy: async () => boom(),
    stages: DENIED,
    failure: { code: "permission_denied" },
  },
  {
    title: "denies when the policy answers nonsense",
    policy: () => "sure" as never,
    stages: DENIED,
    failure: { code: "permission_denied" },
  },
  {
    title: "waits in the same state for an asynchronous policy",
    policy: async () => "allow" as const,
    stages: [...RUN, "succeeded"],
    output: "hi",
  },
  {
    title: "never lowers the isolation that a tool asks for",
    tool: { isolation: "sandbox-os" },
    stages: ["validating", "authorizing", "queued", "normalizing", "tracing", "failed"],
    failure: { code: "sandbox_unavailable", executed: "no" },
  },
  {
    title: "reports what a tool throws",
    tool: { execute: boom },
    stages: [...RUN, "failed"],
    failure: { code: "tool_error", executed: "yes", handledBy: "model" },
  },
  {
    title: "reports what a promise rejects with",
    tool: { execute: async () => boom() },
    stages: [...RUN, "failed"],
    failure: { code: "tool_error" },
  },
  {
    title: "believes a tool that says it took no effect",
    tool: {
      execute: () => {
        throw new ToolError("busy", { executed: "no", retryAfterMs: 50 });
      },
    },
    stages: [...RUN, "failed"],
    failure: { code: "tool_error", executed: "no", handledBy: "system", retryAfterMs: 50 },
  },
  {
    title: "takes a tool's own verdict",
    tool: {
      execute: () => toolOutput({ success: false, output: "8 of 10", error: "2 are missing" }),
    },
    stages: [...RUN, "failed"],
    output: "8 of 10",
    failure: { code: "tool_error", message: '"echo" failed: 2 are missing.' },
  },
  {
    title: "takes a bad exit code for a failure and keeps the output",
    tool: { execute: () => toolOutput({ output: "partial", stderr: "bad\n", exitCode: 2 }) },
    stages: [...RUN, "failed"],
    output: "partial",
    failure: { code: "tool_error" },
  },
  {
    title: "does not take stderr alone for a failure",
    tool: { execute: () => toolOutput({ output: "fine", stderr: "warning: old\n", exitCode: 0 }) },
    stages: [...RUN, "succeeded"],
    output: "fine\n[stderr]\nwarning: old",
  },
  {
    title: "checks what a tool returns against its output schema",
    tool: { outputSchema: { type: "object" }, execute: () => "text" },
    stages: [...RUN, "failed"],
    output: "text",
    failure: { code: "invalid_output", executed: "yes" },
  },
  {
    title: "keeps the output when a tool's normalizer throws",
    tool: { normalize: boom },
    stages: [...RUN, "failed"],
    output: "hi",
    failure: { code: "normalize_failed", executed: "yes" },
  },
  {
    title: "waits in the same state for an asynchronous normalizer",
    tool: { normalize: async (value) => `<${JSON.stringify(value)}>` },
    stages: [...RUN, "succeeded"],
    output: '<"hi">',
  },
  {
    title: "says that a tool that returned nothing has succeeded",
    tool: { execute: () => undefined },
    stages: [...RUN, "succeeded"],
    output: "Done. The tool returned nothing.",
  },
  {
    title: "takes the return value of an async generator",
    tool: {
      async *execute() {
        yield "half";
        return "whole";
      },
    },
    stages: [...RUN, "succeeded"],
    output: "whole",
  },
];

describe("a call", () => {
  it.for(rows)("$title", async ({ tool, call, context, policy, stages, output, failure }) => {
    const echo: AnyTool = {
      name: "echo",
      inputSchema,
      execute: ({ text }: { text: string }) => text,
      ...tool,
    };
    const { executor, recorder, sink } = createTestExecutor([echo], policy ? { policy } : {});
    const given = { id: "call-1", name: "echo", arguments: { text: "hi" }, ...call };
    const result = await executor.execute(given, context as never);
    expect(result).toHavePassed(stages);
    expect(recorder.stages("call-1")).toEqual(stages);
    expect(result.success).toBe(failure === undefined);
    expect(result.output).toBe(output);
    if (failure === undefined) expect(result.failure).toBeUndefined();
    else {
      expect(result.failure).toMatchObject(failure);
      expect(result.error).toContain(result.failure?.message);
    }
    const [record] = sink.calls();
    expect(sink.records).toHaveLength(1);
    expect(record?.result.metadata.trace).toEqual(result.metadata.trace);
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  });

  it("is taken in as a copy, and the tool gets another one", async () => {
    const seen: unknown[] = [];
    const { executor } = createTestExecutor([
      {
        name: "keep",
        inputSchema: { type: "object" },
        execute(args: { list: number[] }) {
          args.list.push(99);
          seen.push(args);
          return "ok";
        },
      },
    ]);
    const given = { list: [1] };
    const live = executor.start({ id: "1", name: "keep", arguments: given });
    given.list.push(2);
    const result = await live.result;
    expect(result.success).toBe(true);
    expect(seen).toEqual([{ list: [1, 99] }]);
    expect(live.actor.getSnapshot().context.call.arguments).toEqual({ list: [1] });
    expect(given).toEqual({ list: [1, 2] });
  });

  it.for([
    ["nothing", undefined],
    ["null", null],
    ["a text", "call"],
    ["no id", { name: "echo", arguments: {} }],
    ["no name", { id: "1", arguments: {} }],
    ["a getter that throws", Object.defineProperty({}, "id", { get: boom })],
    ["a proxy whose traps throw", new Proxy({}, { get: boom, has: boom, ownKeys: boom })],
  ] as const)("that is %s gets one result all the same", async ([, call]) => {
    const { executor, sink } = createTestExecutor([]);
    const result = await executor.execute(call as never);
    expect(result).toHaveFailedAt("validate", { code: "invalid_call", executed: "no" });
    expect(result).toHavePassed(SHORT);
    expect(sink.records).toHaveLength(1);
  });

  it("with a context that is no plain data is refused in words that say where", async () => {
    const { executor } = createTestExecutor([]);
    const result = await executor.execute({ id: "1", name: "x", arguments: {} }, {
      db: { query: () => [] },
    } as never);
    expect(result).toHaveFailedAt("validate", { code: "invalid_call", message: "/db/query" });
  });
});
