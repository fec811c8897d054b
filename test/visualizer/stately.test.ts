import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import {
  createBrowserInspector,
  createBrowserReceiver,
  createInspector,
  createWebSocketInspector,
  createWebSocketReceiver,
  type StatelyInspectionEvent,
} from "@statelyai/inspect";
import { createInspectorServer } from "@statelyai/inspect/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type ActorOptions,
  type AnyActorLogic,
  assign,
  createActor,
  createMachine,
  fromPromise,
} from "xstate";
import { createExecutor, createRegistry, type Executor } from "../../src/index.ts";
import { toStatelyInspect, toStatelyMessages } from "../../visualizer/index.ts";
import { toJsonSafe } from "../../visualizer/json-safe.ts";
import { buildRecord, RECORDS } from "../support/records.ts";

type Inspect = NonNullable<ActorOptions<AnyActorLogic>["inspect"]>;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** One call that fails once and then succeeds. Gives the stages that its result tells of. */
async function runCall(inspect: Inspect): Promise<readonly string[]> {
  let attempts = 0;
  const executor: Executor = createExecutor({
    inspect,
    registry: createRegistry([
      {
        name: "flaky",
        inputSchema: { type: "object" },
        annotations: { idempotentHint: true },
        retry: { maxAttempts: 2, baseMs: 1 },
        execute() {
          attempts += 1;
          if (attempts === 1) throw Object.assign(new Error("busy"), { retryable: true });
          return "done";
        },
      },
    ]),
  });
  const result = await executor.execute({ id: "c", name: "flaky", arguments: {} });
  return result.metadata.stages;
}

function stagesOf(messages: readonly StatelyInspectionEvent[]): readonly string[] {
  return messages.flatMap((message) => {
    if (message.type !== "@xstate.snapshot") return [];
    const { value } = message.snapshot as { value?: unknown };
    return typeof value === "string" ? [value] : [];
  });
}

const deduplicated = (list: readonly string[]): readonly string[] =>
  list.filter((one, at) => one !== list[at - 1]);

/** The messages of an inspector whose official serialization runs, with an adapter that only collects. */
function collecting(options?: Parameters<typeof createInspector>[1]) {
  const messages: StatelyInspectionEvent[] = [];
  const inspector = createInspector({ send: (message) => void messages.push(message) }, options);
  return { inspector, messages };
}

const isOver = (messages: readonly StatelyInspectionEvent[]) => () =>
  expect(stagesOf(messages).at(-1)).toBe("succeeded");

describe("the adapter for Stately's inspector", () => {
  it("shows every stage in order, where the inspector alone shows only where the call comes to rest", async () => {
    const plain = collecting();
    await runCall(plain.inspector.inspect);
    await vi.waitFor(isOver(plain.messages));
    expect(new Set(stagesOf(plain.messages))).not.toContain("normalizing");

    const adapted = collecting();
    const stages = await runCall(toStatelyInspect(adapted.inspector));
    await vi.waitFor(isOver(adapted.messages));
    expect(stages).toEqual([
      ...["validating", "authorizing", "queued", "executing", "backingOff", "executing"],
      ...["normalizing", "tracing", "succeeded"],
    ]);
    expect(deduplicated(stagesOf(adapted.messages))).toEqual(stages);
  });

  it("sends the chart once for each call, and what caused each step", async () => {
    const { inspector, messages } = collecting();
    await runCall(toStatelyInspect(inspector));
    await vi.waitFor(isOver(messages));
    const actors = messages.filter((message) => message.type === "@xstate.actor");
    const [call] = actors.filter(({ parentId }) => parentId === undefined);
    expect(Object.keys(JSON.parse(call?.definition ?? "").states).sort()).toContain(
      "awaitingApproval",
    );
    expect(actors.filter(({ parentId }) => parentId === call?.sessionId)).toHaveLength(2);
    const causes = messages.flatMap((message) =>
      message.type === "@xstate.snapshot" && message.sessionId === call?.sessionId
        ? [message.event.type]
        : [],
    );
    expect(causes.slice(-3)).toEqual(["xstate.done.actor.attempt", "always", "always"]);
  });

  it("is received in order by the package's own receiver over a WebSocket", async () => {
    const port = await freePort();
    const server = createInspectorServer({ port, autoOpen: false });
    cleanups.push(() => server.stop());
    const url = `ws://127.0.0.1:${port}`;
    const messages: StatelyInspectionEvent[] = [];
    const receiver = createWebSocketReceiver({ server: url });
    receiver.subscribe((message) => void messages.push(message));
    const inspector = createWebSocketInspector({ url });
    cleanups.push(() => inspector.stop());
    const stages = await runCall(toStatelyInspect(inspector));
    await vi.waitFor(isOver(messages), { timeout: 10_000 });
    expect(deduplicated(stagesOf(messages))).toEqual(stages);
  });

  it("is received in order by the package's own receiver in a browser window, after the handshake of both", async () => {
    const { opener, popup } = createWindows();
    const messages: StatelyInspectionEvent[] = [];
    const inspector = createBrowserInspector({ window: opener, url: "about:blank" });
    createBrowserReceiver({ window: popup }).subscribe((message) => void messages.push(message));
    const stages = await runCall(toStatelyInspect(inspector));
    await vi.waitFor(isOver(messages));
    expect(deduplicated(stagesOf(messages))).toEqual(stages);
  });

  it("hands over values that would end the process in the inspector's timer", async () => {
    const { inspector, messages } = collecting();
    const trap = Object.defineProperty({}, "getter", {
      enumerable: true,
      get: () => {
        throw new Error("got");
      },
    });
    const cycle: Record<string, unknown> = {
      big: 10n,
      error: new TypeError("lost"),
      map: new Map([["a", 1]]),
    };
    cycle["self"] = cycle;
    const machine = createMachine({
      context: {
        trap,
        cycle,
        proxy: new Proxy(
          {},
          {
            ownKeys() {
              throw new Error("asked");
            },
          },
        ),
      },
      initial: "a",
      invoke: { src: fromPromise(async () => 1) },
      states: {
        a: { on: { go: { target: "b", actions: assign({ trap: { five: 5n } }) } } },
        b: {},
      },
    });
    const actor = createActor(machine, { inspect: toStatelyInspect(inspector) }).start();
    actor.send({ type: "go", payload: cycle });
    await vi.waitFor(() => expect(stagesOf(messages).at(-1)).toBe("b"));
    const snapshots = messages.filter((message) => message.type === "@xstate.snapshot");
    const first = snapshots.find(({ snapshot }) => "value" in snapshot);
    expect(first?.snapshot).toMatchObject({
      context: {
        trap: { getter: "[threw]" },
        cycle: {
          big: "10n",
          error: { name: "TypeError", message: "lost" },
          map: [["a", 1]],
          self: "[circular]",
        },
        proxy: "[unreadable]",
      },
    });
    actor.stop();
  });

  it("leaves the inspector's own filter and sanitizers in force, also for children without a context", async () => {
    const { inspector, messages } = collecting({
      sanitizeContext: ({ caller: _caller, call: _call, ...rest }) => rest,
      sanitizeEvent: ({ type }) => ({ type }),
      filter: ({ type }) => type !== "@xstate.event",
    });
    await runCall(toStatelyInspect(inspector));
    await vi.waitFor(isOver(messages));
    expect(messages.some(({ type }) => type === "@xstate.event")).toBe(false);
    const contexts = messages.flatMap((message) =>
      "snapshot" in message ? [message.snapshot as { context: object }] : [],
    );
    expect(contexts.length).toBeGreaterThan(5);
    for (const { context } of contexts) expect(Object.keys(context)).not.toContain("call");
  });
});

describe("a recorded call as Stately's messages", () => {
  it("are accepted by the package's adapter and tell each step with the time of the recording", () => {
    const { inspector, messages } = collecting();
    for (const message of toStatelyMessages(RECORDS.retried))
      inspector.adapter.send(message as StatelyInspectionEvent);
    const { trace, startedAt } = RECORDS.retried.result.metadata;
    expect(messages[0]).toMatchObject({ type: "@xstate.actor", name: "stock_level stock" });
    expect(stagesOf(messages)).toEqual(trace.map(({ state }) => state));
    const snapshots = messages.filter(({ type }) => type === "@xstate.snapshot");
    expect(snapshots.map(({ createdAt }) => Number(createdAt))).toEqual(
      trace.map(({ enteredAt }) => startedAt + enteredAt),
    );
    const events = messages.flatMap((message) =>
      message.type === "@xstate.event" ? [message.event.type] : [],
    );
    expect(events).toEqual([
      "call.received",
      "call.start",
      "attempt.done",
      "after.backoff",
      "attempt.done",
      "after.backoff",
      "attempt.done",
    ]);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
    expect(snapshots.at(-1)).toMatchObject({
      snapshot: { status: "done", output: { success: true } },
    });
    expect(JSON.parse(JSON.stringify(messages))).toHaveLength(messages.length);
  });

  it("tell an event that came twice twice, though it led into the same state", () => {
    const resumed = buildRecord({
      id: "twice",
      tool: "t",
      steps: [
        ["queued", 1, "call.start", "isAuthorized"],
        ["queued", 1, "call.resume"],
        ["queued", 1, "call.resume"],
        ["executing", 1, "call.resume", "hasSlot", 1],
      ],
    });
    const told = toStatelyMessages(resumed).flatMap((message) =>
      message.type === "@xstate.actor" ? [] : [`${message.type} ${message.event.type}`],
    );
    expect(told.slice(2)).toEqual([
      "@xstate.event call.resume",
      "@xstate.snapshot call.resume",
      "@xstate.event call.resume",
      "@xstate.snapshot call.resume",
      "@xstate.snapshot always",
    ]);
  });

  it("keep the chart's states in the order of the pipeline", () => {
    const [actor] = toStatelyMessages(RECORDS.succeeded);
    if (actor?.type !== "@xstate.actor") throw new Error("no actor first");
    expect(Object.keys(JSON.parse(actor.definition).states).slice(0, 3)).toEqual([
      "validating",
      "authorizing",
      "awaitingApproval",
    ]);
  });
});

describe("a copy for inspectors", () => {
  it.each<[what: string, value: unknown, copy: unknown]>([
    ["numbers that JSON has not", [Number.NaN, Number.NEGATIVE_INFINITY], ["NaN", "-Infinity"]],
    ["functions and symbols", [function named() {}, Symbol("s")], [{ type: "named" }, "Symbol(s)"]],
    ["dates", [new Date(0), new Date(Number.NaN)], ["1970-01-01T00:00:00.000Z", "Invalid Date"]],
    ["sets and bytes", [new Set([1]), new Uint8Array(3)], [[1], "[3 bytes]"]],
    ["what is undefined", { a: undefined, b: [undefined] }, { b: [null] }],
    ["nothing at all", undefined, null],
    [
      "the same object twice",
      (() => {
        const one = { a: 1 };
        return [one, one];
      })(),
      [{ a: 1 }, { a: 1 }],
    ],
    [
      "a revoked proxy",
      (() => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      })(),
      "[unreadable]",
    ],
    [
      "a name that is a prototype's",
      JSON.parse('{"__proto__":{"x":1}}'),
      JSON.parse('{"__proto__":{"x":1}}'),
    ],
  ])("has an answer to %s", (_what, value, copy) => {
    const made = toJsonSafe(value);
    expect(made).toEqual(copy);
    expect(JSON.parse(JSON.stringify(made))).toEqual(made);
  });

  it("ends with values that do not: deep, wide and long ones", () => {
    let deep: unknown = "bottom";
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    const made = toJsonSafe({
      deep,
      wide: Array.from({ length: 1_000_000 }, () => 0),
      long: "x".repeat(1_000_000),
    });
    const text = JSON.stringify(made);
    expect(text).toContain("[deeper]");
    expect(text.length).toBeLessThan(200_000);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Two windows that post messages to each other, as far as the package's two sides need windows. */
function createWindows(): { readonly opener: never; readonly popup: never } {
  const make = () => {
    const target = new EventTarget();
    return {
      addEventListener: target.addEventListener.bind(target),
      postMessage: (data: unknown) =>
        void target.dispatchEvent(new MessageEvent("message", { data: structuredClone(data) })),
    };
  };
  const popup: Record<string, unknown> = make();
  const opener = { ...make(), open: () => popup };
  Object.assign(popup, { opener, self: popup, top: popup });
  return { opener: opener as never, popup: popup as never };
}
