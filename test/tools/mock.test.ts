import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import { describe, expect, it } from "vitest";
import { SimulatedClock } from "xstate";
import { isToolOutput, ToolError } from "../../src/tool.ts";
import {
  createMockTool,
  MOCK_KINDS,
  type MockBehaviour,
  makeOddShape,
  ODD_SHAPES,
} from "../../tools/mock.ts";
import { compileInput, itIsAReadyMadeTool } from "../support/tool-conformance.ts";
import { createToolContext, timeoutReason } from "../support/tool-context.ts";

/** Runs the mock as a call with this behaviour among its arguments does. */
const perform = (behaviour: MockBehaviour, fields = {}) => {
  const run = createToolContext(fields);
  const clock = new SimulatedClock();
  const mock = createMockTool({ clock });
  const start = () => mock.execute({ behaviour }, run.context);
  return { ...run, clock, mock, start };
};

async function* asGenerator(value: unknown): AsyncGenerator<unknown, unknown, void> {
  return yield* value as AsyncGenerator<unknown, unknown, void>;
}

describe("the mock tool", () => {
  const mock = createMockTool();
  itIsAReadyMadeTool(mock, "mock");

  it.each(MOCK_KINDS)("lets a call ask for the behaviour %s", (kind) => {
    const accepts = compileInput(mock);
    expect(accepts({ behaviour: { kind, ...(kind === "shape" ? { shape: "cycle" } : {}) } })).toBe(
      true,
    );
  });

  it("refuses behaviours that it does not have", () => {
    const accepts = compileInput(mock);
    expect(accepts({ behaviour: { kind: "explode" } })).toBe(false);
    expect(accepts({ behaviour: {} })).toBe(false);
    expect(accepts({ behaviour: { kind: "shape" } })).toBe(false);
    expect(accepts({ behaviour: { kind: "return", valeu: 1 } })).toBe(false);
  });

  it("returns its arguments when nothing is asked of it", () => {
    expect(mock.execute({ a: 1 }, createToolContext().context)).toEqual({ a: 1 });
  });

  it("stands in for another tool: arguments named behaviour mean nothing then", () => {
    const other = createMockTool({ name: "get_weather", inputSchema: { type: "object" } });
    const args = { behaviour: { kind: "throw" } };
    expect(other.name).toBe("get_weather");
    expect(other.execute(args, createToolContext().context)).toBe(args);
  });

  it("does what its options say rather than what the call asks for", () => {
    const fixed = createMockTool({ behaviour: { kind: "return", value: "fixed" } });
    expect(fixed.execute({ behaviour: { kind: "throw" } }, createToolContext().context)).toBe(
      "fixed",
    );
  });

  it("lets a function choose by arguments and context", () => {
    const chosen = createMockTool({
      behaviour: (_, { attempt }) => ({ kind: "return", value: `attempt ${attempt}` }),
    });
    expect(chosen.execute({}, createToolContext({ attempt: 2 }).context)).toBe("attempt 2");
  });

  it("keeps a log of its runs", () => {
    const logged = createMockTool();
    expect(() => logged.lastRun()).toThrow("The mock tool has not been run.");
    const { context } = createToolContext({ callId: "call-7" });
    logged.execute({ a: 1 }, context);
    expect(() => logged.execute({ behaviour: { kind: "throw" } }, context)).toThrow(ToolError);
    expect(logged.runs).toMatchObject([
      {
        arguments: { a: 1 },
        behaviour: { kind: "return" },
        state: "returned",
        context: { callId: "call-7" },
      },
      { behaviour: { kind: "throw" }, state: "threw" },
    ]);
    expect(logged.lastRun()).toBe(logged.runs[1]);
  });
});

describe("a mock that returns or throws", () => {
  it("returns the very value, undefined included, before execute returns", () => {
    const value = { nested: [1] };
    expect(perform({ kind: "return", value }).start()).toBe(value);
    expect(perform({ kind: "return", value: undefined }).start()).toBeUndefined();
  });

  it("returns after a delay on its clock: not at 49 ms, but at 50 ms", async () => {
    const { start, clock, mock } = perform({ kind: "return", value: 1, delayMs: 50 });
    const result = start() as Promise<unknown>;
    clock.increment(49);
    await Promise.resolve();
    expect(mock.lastRun().state).toBe("running");
    clock.increment(1);
    expect(await result).toBe(1);
    expect(mock.lastRun().state).toBe("returned");
  });

  it("gives up its delay, and its timer, when it is told to stop", async () => {
    const { start, abort, mock } = perform({ kind: "return", delayMs: 50 });
    const result = start() as Promise<unknown>;
    const reason = timeoutReason();
    abort(reason);
    await expect(result).rejects.toBe(reason);
    expect(mock.lastRun()).toMatchObject({ state: "stopped", abortReason: reason });
  });

  it.each([["a text"], [undefined], [null], [{ not: "an Error" }]])(
    "throws %j as it is",
    (value) => {
      let thrown: unknown = "nothing";
      try {
        perform({ kind: "throw", value }).start();
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBe(value);
    },
  );

  it("throws a ToolError made of the facts given", () => {
    const { start } = perform({
      kind: "throw",
      message: "busy",
      code: "E_BUSY",
      retryAfterMs: 100,
      executed: "no",
    });
    expect(start).toThrow(
      expect.objectContaining({
        message: "busy",
        code: "E_BUSY",
        retryable: true,
        retryAfterMs: 100,
        executed: "no",
      }),
    );
  });
});

describe("a mock that does not end by itself", () => {
  it("hangs until it is told to stop, and rejects with the reason then", async () => {
    const { start, abort, mock } = perform({ kind: "hang" });
    const result = start() as Promise<unknown>;
    expect(mock.lastRun().state).toBe("running");
    const reason = timeoutReason();
    abort(reason);
    await expect(result).rejects.toBe(reason);
    expect(mock.lastRun().state).toBe("stopped");
  });

  it("hangs until it is settled by hand", async () => {
    const { start, mock } = perform({ kind: "hang" });
    const result = start();
    mock.lastRun().resolve("by hand");
    expect(await result).toBe("by hand");
  });

  it("ignores abort: it ends later, by hand, with a value or an error", async () => {
    const late = perform({ kind: "ignoreAbort" });
    const result = late.start();
    late.abort();
    await Promise.resolve();
    expect(late.mock.lastRun().state).toBe("running");
    late.mock.lastRun().resolve("too late");
    expect(await result).toBe("too late");

    const failing = perform({ kind: "ignoreAbort" });
    const rejected = failing.start() as Promise<unknown>;
    failing.abort();
    failing.mock.lastRun().reject(new Error("too late"));
    await expect(rejected).rejects.toThrow("too late");
    expect(failing.mock.lastRun().state).toBe("threw");
  });
});

describe("a mock that fails first", () => {
  it("counts the attempts of a call, retryable unless told otherwise", () => {
    const mock = createMockTool({ behaviour: { kind: "flaky", failures: 2, value: "at last" } });
    const attempt = (number: number) => () =>
      mock.execute({}, createToolContext({ attempt: number }).context);
    expect(attempt(1)).toThrow(expect.objectContaining({ retryable: true }));
    expect(attempt(2)).toThrow(expect.objectContaining({ retryable: true }));
    expect(attempt(3)()).toBe("at last");
    expect(attempt(1)).toThrow(ToolError);
  });

  it("counts its runs when told so, for failures that nobody retries", () => {
    const mock = createMockTool({
      behaviour: { kind: "flaky", of: "tool", retryable: false, value: "at last" },
    });
    const call = () => mock.execute({}, createToolContext().context);
    expect(call).toThrow(expect.objectContaining({ retryable: false }));
    expect(call()).toBe("at last");
  });
});

describe("a mock that tells more than a value", () => {
  it("floods its output", () => {
    expect(perform({ kind: "flood", chars: 12_345 }).start()).toBe("x".repeat(12_345));
    const { start, progress } = perform({ kind: "flood", chars: 1, stderrChars: 10, events: 1500 });
    expect(start()).toMatchObject({ output: "x", stderr: "eeeeeeeeee" });
    expect(progress).toHaveLength(1500);
  });

  it("reports progress at once, or on its clock", async () => {
    const atOnce = perform({ kind: "progress", events: ["a", "b"], value: 1 });
    expect(await atOnce.start()).toBe(1);
    expect(atOnce.progress).toEqual(["a", "b"]);

    const { start, clock, progress } = perform({
      kind: "progress",
      events: ["a", "b"],
      everyMs: 10,
    });
    const result = start();
    expect(progress).toEqual([]);
    clock.increment(10);
    await expect.poll(() => progress).toEqual(["a"]);
    clock.increment(10);
    await result;
    expect(progress).toEqual(["a", "b"]);
  });

  it("fills the channels of a process", () => {
    const output = perform({ kind: "channels", output: "out", stderr: "err", exitCode: 2 }).start();
    expect(isToolOutput(output)).toBe(true);
    expect(output).toEqual({ output: "out", stderr: "err", exitCode: 2 });
  });

  it("returns an Effect that succeeds, fails or dies", async () => {
    const exitOf = (behaviour: MockBehaviour) => {
      const { start, mock } = perform(behaviour);
      const effect = start();
      if (!Effect.isEffect(effect)) throw new Error("The mock returned no Effect.");
      return Effect.runPromiseExit(effect as Effect.Effect<unknown, unknown>).then((exit) => ({
        tag: exit._tag,
        text: String(exit),
        run: mock.lastRun(),
      }));
    };
    expect(await exitOf({ kind: "effect", value: 1 })).toMatchObject({
      tag: "Success",
      run: { state: "returned", cleanUps: 1 },
    });
    expect(await exitOf({ kind: "effect", failure: "expected" })).toMatchObject({
      tag: "Failure",
      text: expect.stringContaining("Fail"),
      run: { state: "threw", cleanUps: 1 },
    });
    expect(await exitOf({ kind: "effect", defect: "unexpected" })).toMatchObject({
      tag: "Failure",
      text: expect.stringContaining("Die"),
      run: { state: "threw", cleanUps: 1 },
    });
  });

  it("returns an Effect that never ends, and cleans up when it is interrupted", async () => {
    const { start, mock } = perform({ kind: "effect", hang: true });
    const fiber = Effect.runFork(start() as Effect.Effect<unknown>);
    expect(mock.lastRun()).toMatchObject({ state: "running", cleanUps: 0 });
    await Effect.runPromise(Fiber.interrupt(fiber));
    expect(mock.lastRun()).toMatchObject({ state: "stopped", cleanUps: 1 });
  });

  it("is an async generator that returns, throws, or cleans up when it is asked to return", async () => {
    const returning = perform({ kind: "generator", events: [1, 2], value: "end" });
    const generator = asGenerator(returning.start());
    expect(await generator.next()).toEqual({ done: false, value: 1 });
    expect(await generator.next()).toEqual({ done: false, value: 2 });
    expect(await generator.next()).toEqual({ done: true, value: "end" });
    expect(returning.mock.lastRun()).toMatchObject({ state: "returned", cleanUps: 1 });

    const throwing = perform({ kind: "generator", message: "broken" });
    await expect(asGenerator(throwing.start()).next()).rejects.toThrow("broken");
    expect(throwing.mock.lastRun()).toMatchObject({ state: "threw", cleanUps: 1 });

    const stopped = perform({ kind: "generator", events: [1, 2] });
    const early = asGenerator(stopped.start());
    await early.next();
    await early.return(undefined);
    expect(stopped.mock.lastRun()).toMatchObject({ state: "stopped", cleanUps: 1 });
  });
});

describe("the odd shapes of the mock", () => {
  it.each(ODD_SHAPES)("has the shape %s, made anew each time, and never looks into it", (shape) => {
    const { start, mock } = perform({ kind: "shape", shape });
    start();
    expect(mock.lastRun().state).toBe("returned");
  });

  // Those that JSON can hold are odd for another reason: their size, their keys, or what a terminal does with them.
  const heldByJson: readonly string[] = [
    "nullPrototype",
    "protoKey",
    "hugeArray",
    "hugeText",
    "loneSurrogate",
    "controlCharacters",
  ];
  it.each(ODD_SHAPES.filter((shape) => !heldByJson.includes(shape)))(
    "cannot get %s through a JSON round trip",
    (shape) => {
      const survives = (): boolean => {
        try {
          const value = makeOddShape(shape);
          expect(JSON.parse(JSON.stringify(value))).toStrictEqual(value);
          return true;
        } catch {
          return false;
        }
      };
      expect(survives()).toBe(false);
    },
  );
});
