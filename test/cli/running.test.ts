import { PassThrough } from "node:stream";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import type { ToolResult } from "../../machines/contract.ts";
import { createOutput } from "../../src/cli/io.ts";
import { createLiveLine } from "../../src/cli/live-line.ts";
import { toProgressText } from "../../src/cli/progress.ts";
import type { CallLine } from "../../src/cli/read-calls.ts";
import { resultsTable, toRow, toStages } from "../../src/cli/results-table.ts";
import { runCalls, untilAborted } from "../../src/cli/run-calls.ts";

const line = (number: number): CallLine => ({
  line: number,
  id: `c${number}`,
  call: { id: `c${number}`, name: "f", arguments: {} },
});

const resultOf = ({ id }: CallLine): ToolResult => ({
  callId: id,
  toolName: "f",
  success: true,
  latencyMs: 0,
  metadata: {
    executionId: id,
    startedAt: 0,
    stages: [],
    trace: [],
    attempts: 0,
    timings: {},
    humanWaitMs: 0,
  },
});

async function* lines(
  count: number,
  onRead: (number: number) => void = () => {},
): AsyncGenerator<CallLine> {
  for (let number = 1; number <= count; number += 1) {
    onRead(number);
    yield line(number);
  }
}

describe("running calls", () => {
  it("yields results in the order of the calls though later ones end first", async () => {
    const first = Promise.withResolvers<void>();
    const ended: string[] = [];
    const runOne = async (call: CallLine): Promise<ToolResult> => {
      if (call.line === 1) await first.promise;
      ended.push(call.id);
      if (call.line === 5) first.resolve();
      return resultOf(call);
    };
    const seen: string[] = [];
    for await (const { result } of runCalls(lines(5), { concurrency: 2, runOne })) {
      seen.push(result.callId);
    }
    expect(ended).toEqual(["c2", "c3", "c4", "c5", "c1"]);
    expect(seen).toEqual(["c1", "c2", "c3", "c4", "c5"]);
  });

  it("never has more of them running than allowed", async () => {
    let running = 0;
    let most = 0;
    const runOne = async (call: CallLine): Promise<ToolResult> => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running -= 1;
      return resultOf(call);
    };
    let seen = 0;
    for await (const _ of runCalls(lines(50), { concurrency: 3, runOne })) seen += 1;
    expect(seen).toBe(50);
    expect(most).toBe(3);
  });

  it("reads on only so far while an early call keeps the others waiting", async () => {
    const first = Promise.withResolvers<void>();
    let read = 0;
    const runOne = async (call: CallLine): Promise<ToolResult> => {
      if (call.line === 1) await first.promise;
      return resultOf(call);
    };
    const options = { concurrency: 2, lookahead: 10, runOne };
    const results = runCalls(
      lines(1000, (number) => (read = number)),
      options,
    )[Symbol.asyncIterator]();
    const begun = results.next();
    for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
    expect(read).toBeGreaterThan(2);
    expect(read).toBeLessThan(60);
    first.resolve();
    expect((await begun).value.result.callId).toBe("c1");
    await results.return?.();
  });

  it("rejects when the calls cannot be read", async () => {
    async function* broken(): AsyncGenerator<CallLine> {
      yield line(1);
      throw new Error("the disk is gone");
    }
    const results = runCalls(broken(), { concurrency: 1, runOne: async (call) => resultOf(call) });
    await expect(async () => {
      for await (const _ of results);
    }).rejects.toThrow("the disk is gone");
  });

  it("ends quietly when reading is aborted", async () => {
    const controller = new AbortController();
    const seen: number[] = [];
    for await (const call of untilAborted(lines(10), controller.signal)) {
      seen.push(call.line);
      if (call.line === 3) controller.abort();
    }
    expect(seen).toEqual([1, 2, 3]);
  });
});

describe("the live line", () => {
  const terminal = (): { read: () => string; stream: PassThrough } => {
    const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 40 });
    return { read: () => String(stream.read() ?? ""), stream };
  };

  it("rewrites itself in place, narrower than the terminal, and clears itself", () => {
    const { read, stream } = terminal();
    const live = createLiveLine(createOutput(stream, {}), true);
    live.show("x".repeat(100));
    expect(read()).toBe(`\r\u001b[2K${"x".repeat(38)}…`);
    live.show("x".repeat(100));
    expect(read()).toBe("");
    live.clear();
    expect(read()).toBe("\r\u001b[2K");
    live.clear();
    expect(read()).toBe("");
  });

  it("writes nothing when it is not wanted", () => {
    const { read, stream } = terminal();
    const live = createLiveLine(createOutput(stream, {}), false);
    live.show("x");
    live.clear();
    expect(read()).toBe("");
  });

  it("tells what is done and what runs, how long, and how far", () => {
    const running = [
      { toolName: "http-fetch", since: 0, note: "" },
      { toolName: "mock\u001b[2J", since: 1170, note: "50 %" },
    ];
    expect(toProgressText(7, running, 1200)).toBe(
      "7 calls done, 2 running: http-fetch 1.20 s, mock\\e[2J 30 ms (50 %)",
    );
  });
});

describe("an output", () => {
  const terminal = (columns?: number): PassThrough =>
    Object.assign(new PassThrough(), {
      isTTY: true,
      ...(columns === undefined ? {} : { columns }),
    });

  it("has colour on a terminal, unless NO_COLOR is set or the terminal is dumb", () => {
    expect(createOutput(terminal(), {}).hasColor).toBe(true);
    expect(createOutput(terminal(), { NO_COLOR: "1" }).hasColor).toBe(false);
    expect(createOutput(terminal(), { TERM: "dumb" }).hasColor).toBe(false);
    expect(createOutput(new PassThrough(), {}).hasColor).toBe(false);
  });

  it("is as wide as its terminal, else as COLUMNS says, else 100", () => {
    expect(createOutput(terminal(80), { COLUMNS: "120" }).columns()).toBe(80);
    expect(createOutput(new PassThrough(), { COLUMNS: "120" }).columns()).toBe(120);
    expect(createOutput(new PassThrough(), {}).columns()).toBe(100);
    expect(createOutput(terminal(3), {}).columns()).toBe(40);
  });
});

describe("the table of results", () => {
  const long =
    "a text that a model would read, and that is far too long for one line of it ".repeat(20);
  const rows = [
    toRow({ ...resultOf(line(1)), output: "\u001b[31m東京\n\u0007" }),
    toRow({
      ...resultOf(line(2)),
      toolName: "a_tool_with_a_very_long_name_indeed",
      success: false,
      error: long,
      failure: {
        code: "sandbox_unavailable",
        stage: "execute",
        executed: "no",
        handledBy: "human",
        message: long,
      },
    }),
  ];

  it.each([40, 60, 80, 99, 100, 120, 200])(
    "is never wider than a terminal of %d columns",
    (width) => {
      const lines = resultsTable(rows, width).split("\n");
      expect(Math.max(...lines.map((text) => stringWidth(text)))).toBeLessThanOrEqual(width);
      expect(new Set(lines.map((text) => stringWidth(text))).size).toBe(1);
    },
  );

  it("has a column for each fact where there is room, and stacks them where there is none", () => {
    expect(resultsTable(rows, 120)).toMatch(
      /tool, call id.*outcome.*stages passed.*latency.*what the model reads/,
    );
    expect(resultsTable(rows, 80)).toMatch(/sandbox_unavailable/);
    expect(resultsTable(rows, 80)).toContain("東京");
  });
});

describe("the stages of a path", () => {
  it("are told in order, and repeated rounds of retries once with their count", () => {
    expect(
      toStages([
        "validating",
        "executing",
        "backingOff",
        "executing",
        "backingOff",
        "executing",
        "tracing",
      ]),
    ).toBe("validating (executing backingOff)×2 executing tracing");
    expect(toStages(["validating", "normalizing", "failed"])).toBe("validating normalizing failed");
  });
});
