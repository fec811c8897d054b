/** One call for each failure code, as `docs/failures.md` shows them. */
import { createActor } from "xstate";
import type { FailureCode, ToolResult } from "../../machines/index.ts";
import type { AnyTool } from "../../src/index.ts";
import { createDeferredTool, createTestExecutor, settle } from "../../src/testing/index.ts";

const send: AnyTool = {
  name: "send_mail",
  inputSchema: {
    type: "object",
    properties: { to: { type: "string" }, copies: { type: "integer" } },
    required: ["to"],
    additionalProperties: false,
  },
  execute: () => "sent",
};
const GOOD = { id: "call-1", name: "send_mail", arguments: { to: "ada@example.org" } };

const withTool = (changes: Partial<AnyTool>): Promise<ToolResult> =>
  createTestExecutor([{ ...send, ...changes }]).executor.execute(GOOD);

const deferred = (changes: Partial<AnyTool> = {}) =>
  createDeferredTool({ ...send, deaf: true, ...changes });

/** Makes a call that ends in `code`. */
export const FAILING_CALLS: { readonly [code in FailureCode]: () => Promise<ToolResult> } = {
  invalid_call: () => createTestExecutor([send]).executor.execute({ ...GOOD, name: "" }),
  unknown_tool: () => createTestExecutor([send]).executor.execute({ ...GOOD, name: "send_email" }),
  invalid_arguments: () =>
    createTestExecutor([send]).executor.execute({ ...GOOD, arguments: { tto: 1, copies: "two" } }),
  permission_denied: () => withTool({ permissions: ["mail.send"] }),
  async approval_denied() {
    const { executor } = createTestExecutor([{ ...send, requiresApproval: true }]);
    const result = executor.execute(GOOD);
    executor.deny("call-1", { by: "Grace", reason: "not this address" });
    return result;
  },
  async approval_expired() {
    const tool = { ...send, requiresApproval: true, approvalTimeoutMs: 1000 };
    const { executor, clock } = createTestExecutor([tool]);
    const result = executor.execute(GOOD);
    clock.increment(1000);
    return result;
  },
  overloaded() {
    const { tool } = deferred();
    const { executor } = createTestExecutor([tool], { limits: { concurrency: 1, maxQueued: 0 } });
    void executor.execute(GOOD);
    return executor.execute({ ...GOOD, id: "call-2" });
  },
  sandbox_unavailable: () => withTool({ isolation: "sandbox-os" }),
  tool_error: () =>
    withTool({
      execute: () => {
        throw new Error("the mail server refused the address");
      },
    }),
  async timed_out() {
    const { tool } = deferred({ executionTimeoutMs: 5000 });
    const { executor, clock } = createTestExecutor([tool]);
    const result = executor.execute(GOOD);
    clock.increment(5000);
    clock.increment(1000);
    return result;
  },
  async cancelled() {
    const { tool } = createDeferredTool(send);
    const { executor } = createTestExecutor([tool]);
    const result = executor.execute(GOOD);
    executor.cancel("call-1", { reason: "the user closed the window" });
    return result;
  },
  async interrupted() {
    const { tool } = deferred();
    const before = createTestExecutor([tool]);
    const actor = createActor(before.executor.toolCallLogic, {
      clock: before.clock,
      input: { call: GOOD },
    }).start();
    const persisted = JSON.parse(JSON.stringify(actor.getPersistedSnapshot()));
    actor.stop();
    await settle();
    return createTestExecutor([tool]).executor.restore(persisted).result;
  },
  invalid_output: () => withTool({ outputSchema: { type: "object" } }),
  normalize_failed: () =>
    withTool({
      normalize: () => {
        throw new Error("no template");
      },
    }),
  internal: () =>
    // A clock that breaks is the only way to make the executor itself fail from outside.
    createTestExecutor([send], {
      clock: {
        now: () => 0,
        setTimeout: () => {
          throw new Error("no timers left");
        },
        clearTimeout: () => {},
      },
      onDefect: () => {},
    }).executor.execute(GOOD),
};
