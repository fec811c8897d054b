import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { createMemorySink, createPinoSink } from "../../src/trace/index.ts";
import { LATE, RECORDS } from "../support/records.ts";

const TRACE = join(import.meta.dirname, "../../src/trace/index.ts");

/** What node prints that runs this as a module. */
async function runNode(program: string): Promise<string> {
  const args = ["--input-type=module", "--eval", program];
  return (await promisify(execFile)(process.execPath, args)).stdout;
}

describe("The memory sink", () => {
  it("keeps records in order, calls and late outcomes apart", () => {
    const sink = createMemorySink();
    for (const record of [RECORDS.timedOut, LATE, RECORDS.denied]) sink.write(record);
    expect(sink.records).toEqual([RECORDS.timedOut, LATE, RECORDS.denied]);
    expect(sink.calls()).toEqual([RECORDS.timedOut, RECORDS.denied]);
    expect(sink.lates()).toEqual([LATE]);
    sink.clear();
    expect(sink.records).toEqual([]);
  });

  it("keeps only the newest", () => {
    const sink = createMemorySink({ limit: 2 });
    for (const record of [RECORDS.invalid, RECORDS.denied, RECORDS.succeeded]) sink.write(record);
    expect(sink.records).toEqual([RECORDS.denied, RECORDS.succeeded]);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses a limit of %s", (limit) => {
    expect(() => createMemorySink({ limit })).toThrow("limit must be a whole number of at least 1");
  });
});

describe("The pino sink", () => {
  function logged(payloads?: boolean) {
    const lines: { readonly [field: string]: unknown }[] = [];
    const write = (line: string): void => void lines.push(JSON.parse(line));
    const logger = pino({ base: null, timestamp: false }, { write });
    return {
      lines,
      sink: createPinoSink({ logger, ...(payloads === undefined ? {} : { payloads }) }),
    };
  }

  it("logs one line for a call that succeeded", () => {
    const { lines, sink } = logged();
    sink.write(RECORDS.succeeded);
    expect(lines).toEqual([
      {
        level: 30,
        callId: "weather",
        executionId: "execution-weather",
        tool: "weather",
        success: true,
        latencyMs: 183.096,
        humanWaitMs: 0,
        attempts: 1,
        stages: [
          "validating",
          "authorizing",
          "queued",
          "executing",
          "normalizing",
          "tracing",
          "succeeded",
        ],
        msg: "tool call succeeded",
      },
    ]);
  });

  it("warns of a call that failed, with its code", () => {
    const { lines, sink } = logged();
    sink.write(RECORDS.denied);
    expect(lines).toEqual([
      expect.objectContaining({
        level: 40,
        code: "permission_denied",
        stage: "authorize",
        executed: "no",
        msg: "tool call failed",
      }),
    ]);
  });

  it("warns of an outcome that came late", () => {
    const { lines, sink } = logged();
    sink.write(LATE);
    expect(lines).toEqual([
      {
        level: 40,
        callId: "deaf",
        executionId: "execution-deaf",
        tool: "export_all",
        attempt: 1,
        at: 9120.4,
        outcome: "returned",
        msg: "a tool settled after its call had ended",
      },
    ]);
  });

  it("logs arguments and outputs only when asked to", () => {
    const silent = logged();
    for (const record of [...Object.values(RECORDS), LATE]) silent.sink.write(record);
    const text = JSON.stringify(silent.lines);
    expect(text).not.toMatch(/Lisbon|temperature|finance@|no rule to make|1204/);
    const open = logged(true);
    open.sink.write(RECORDS.succeeded);
    expect(open.lines[0]).toMatchObject({
      arguments: { city: "Lisbon" },
      output: expect.stringContaining("Lisbon"),
    });
  });

  it("flushes what its logger holds, and tells of what that could not write", async () => {
    const info = (): void => {};
    const logger = { info, warn: info };
    await createPinoSink({ logger }).flush();
    await createPinoSink({ logger: { ...logger, flush: (done) => done?.() } }).flush();
    const flush = (done?: (error?: Error) => void): void => done?.(new Error("disk full"));
    await expect(createPinoSink({ logger: { ...logger, flush } }).flush()).rejects.toThrow(
      "disk full",
    );
  });

  it("loads pino when it is made without a logger, not before", async () => {
    const out = await runNode(`
      import { createRequire } from "node:module";
      const { cache } = createRequire(${JSON.stringify(TRACE)});
      const isLoaded = () => Object.keys(cache).some((path) => path.includes("/pino/"));
      const { createPinoSink } = await import(${JSON.stringify(TRACE)});
      const before = isLoaded();
      const sink = createPinoSink();
      sink.write(${JSON.stringify(RECORDS.denied)});
      await sink.flush();
      console.log(JSON.stringify({ before, after: isLoaded() }));
    `);
    const [line = "", answer = ""] = out.trim().split("\n");
    expect(JSON.parse(line)).toMatchObject({ name: "callchart", level: 40, callId: "delete" });
    expect(JSON.parse(answer)).toEqual({ before: false, after: true });
  });
});
