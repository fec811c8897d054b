import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  failureOf,
  type Json,
  type NormalizedResult,
  type RawOutcome,
} from "../../machines/index.ts";
import { toReturned, toThrew } from "../../src/execute/outcome.ts";
import { type NormalizeInput, normalize, normalizeFailed } from "../../src/normalize/index.ts";
import type { OutputLimits, Tool } from "../../src/tool.ts";
import { CALL, normalizeNow, normalizeReturned } from "../support/normalized.ts";
import { anything, ODD_VALUES } from "../support/odd-values.ts";

function withTool(
  more: Partial<Tool>,
  checkOutput?: NonNullable<NormalizeInput["tool"]>["checkOutput"],
): NonNullable<NormalizeInput["tool"]> {
  const tool: Tool = { name: "t", inputSchema: {}, execute: () => 1, ...more };
  return { tool, ...(checkOutput === undefined ? {} : { checkOutput }) };
}

function returned(value: Json, more: object = {}): RawOutcome {
  return { status: "returned", value, ...more };
}

describe("A call that succeeded", () => {
  it.each<
    [what: string, outcome: Omit<RawOutcome & { status: "returned" }, "status">, output: string]
  >([
    ["text as it is", { value: "as\n  it is" }, "as\n  it is"],
    ["an empty text", { value: "" }, ""],
    ["compact JSON", { value: { a: [1, true] } }, '{"a":[1,true]}'],
    ["a falsy value", { value: false }, "false"],
    ["zero", { value: 0 }, "0"],
    ["null", { value: null }, "null"],
    ["nothing", {}, "Done. The tool returned nothing."],
    ["the tool's own text, which wins", { value: { a: 1 }, output: "one" }, "one"],
    [
      "stderr, whose end follows the output",
      { value: "fine", stderr: "warn: old\n\n" },
      "fine\n[stderr]\nwarn: old",
    ],
    ["blank stderr, which says nothing", { value: "fine", stderr: " \n" }, "fine"],
    ["lone surrogates", { value: "a\ud83d", stderr: "\udc00b" }, "a\ufffd\n[stderr]\n\ufffdb"],
    ["an exit code of 0", { value: "fine", exitCode: 0, signal: null }, "fine"],
    [
      "a bad exit code that the tool says is fine",
      { value: "diff", exitCode: 1, success: true },
      "diff",
    ],
    ["text that looks like an error", { value: "Error: not really" }, "Error: not really"],
    [
      "data with a field of errors",
      { value: { error: true, success: false } },
      '{"error":true,"success":false}',
    ],
  ])("gives the model %s", (_, channels, output) => {
    expect(normalizeReturned(channels)).toMatchObject({ success: true, output });
  });

  it("keeps every channel apart for the system", () => {
    const { metadata } = normalizeReturned({
      value: { a: 1 },
      output: "text",
      stderr: "note",
      exitCode: 0,
      signal: null,
      metadata: { page: 2 },
      shownMetadata: ["page"],
      losses: ["/b: a function was left out"],
    });
    expect(metadata).toEqual({
      structured: { a: 1 },
      stderr: "note",
      exitCode: 0,
      signal: null,
      tool: { page: 2 },
      shown: ["page"],
      losses: ["/b: a function was left out"],
    });
  });

  it("shows only the last lines of stderr to the model, and keeps its head and tail for the system", () => {
    const stderr = Array.from({ length: 10_000 }, (_, line) => `line ${line}`).join("\n");
    const { output, metadata } = normalizeReturned({ value: "x", stderr });
    expect(output).toBe("x\n[stderr]\nline 9995\nline 9996\nline 9997\nline 9998\nline 9999");
    expect(metadata.stderr?.length).toBeLessThan(20_100);
    expect(metadata.stderr).toMatch(/^line 0\n[\s\S]* characters left out\][\s\S]*line 9999$/);
  });

  it("keeps head and tail of a large output, within the limits of its tool", () => {
    const limits: OutputLimits = { outputChars: 10 };
    const { output, metadata } = normalizeNow({
      tool: withTool({ limits }),
      outcome: returned("0123456789abcdef"),
    });
    expect(output).toBe("0123456\n… [6 of 16 characters left out] …\ndef");
    expect(metadata).toEqual({
      structured: "0123456789abcdef",
      truncated: { totalChars: 16, keptChars: 10 },
    });
  });
});

describe("A call that failed", () => {
  it.each<
    [what: string, outcome: Omit<RawOutcome & { status: "returned" }, "status">, error: string]
  >([
    ["its own verdict", { success: false, errorText: "disk full" }, '"t" failed: disk full.'],
    [
      "a verdict in whole sentences",
      { success: false, errorText: "Is it on?" },
      '"t" failed: Is it on?',
    ],
    [
      "a verdict without words",
      { success: false, errorText: " " },
      '"t" failed: it reported that it did not succeed, and not why.',
    ],
    ["its exit code", { exitCode: 2 }, '"t" failed: it exited with code 2.'],
    [
      "the signal that ended it",
      { exitCode: null, signal: "SIGKILL" },
      '"t" failed: it was ended by SIGKILL.',
    ],
    [
      "a result that it only handed on",
      { value: { success: false, error: { message: "x" }, latencyMs: 1, metadata: {} } },
      '"t" failed: x.',
    ],
  ])("by %s says so", (_, channels, error) => {
    const { success, failure, ...rest } = normalizeReturned(channels);
    expect({ success, error: rest.error }).toEqual({ success: false, error });
    expect(failure).toEqual(failureOf("tool_error", error));
  });

  it("keeps its output beside the error, and the end of stderr in it", () => {
    const result = normalizeReturned({
      output: "built 3 of 5",
      stderr: "no rule",
      exitCode: 2,
      value: { built: 3 },
    });
    expect(result.output).toBe("built 3 of 5");
    expect(result.error).toBe('"t" failed: it exited with code 2.\n[stderr]\nno rule');
    expect(result.metadata).toEqual({ structured: { built: 3 }, stderr: "no rule", exitCode: 2 });
  });

  it("before it ran has the failure's words and nothing else", () => {
    const failure = failureOf("permission_denied", "No.");
    expect(normalizeNow({ failure })).toEqual({
      success: false,
      error: "No.",
      failure,
      metadata: {},
    });
  });

  it("in time, but finished in its grace period, stays failed and keeps its output", () => {
    const failure = failureOf("timed_out", "Too late.", { executed: "yes" });
    expect(normalizeNow({ failure, outcome: returned("late", { success: true }) })).toEqual({
      success: false,
      error: "Too late.",
      output: "late",
      failure,
      metadata: { structured: "late" },
    });
  });

  it("without anybody having said so is a failure all the same", () => {
    expect(normalizeNow({ outcome: toThrew("boom") })).toMatchObject({
      success: false,
      error: '"t" failed: boom.',
    });
    expect(normalizeNow({ outcome: { status: "interrupted" } }).success).toBe(false);
    expect(normalizeNow({})).toMatchObject({ success: false, failure: { code: "internal" } });
  });

  it("has a bounded message, whatever the tool wrote", () => {
    const { error, failure } = normalizeReturned({
      success: false,
      errorText: "x".repeat(5_000_000),
    });
    expect(error?.length).toBeLessThan(10_200);
    expect(failure?.message.length).toBeLessThan(10_200);
  });

  it("has a well-formed message", () => {
    const failure = failureOf("tool_error", "a\ud83d");
    expect(normalizeNow({ failure })).toMatchObject({
      error: "a\ufffd",
      failure: { message: "a\ufffd" },
    });
  });
});

describe("An output schema", () => {
  const fault = { path: "/v", keyword: "required", message: "/v is missing" };

  it("that the value breaks makes a failure, told with its faults; the value is kept", () => {
    const seen: Json[] = [];
    const tool = withTool({}, (value) => {
      seen.push(value);
      return [fault];
    });
    const result = normalizeNow({ tool, outcome: returned({ w: 1 }) });
    expect(seen).toEqual([{ w: 1 }]);
    expect(result).toMatchObject({
      success: false,
      output: '{"w":1}',
      error: '"t" ran, but what it returned breaks its own output schema: /v is missing.',
      failure: { code: "invalid_output", executed: "yes", faults: [fault] },
    });
  });

  it("is not asked about what failed already", () => {
    const tool = withTool({}, () => [fault]);
    const value = {
      isError: true,
      content: [{ type: "text", text: "rate limited" }],
      structuredContent: { code: "RATE" },
    };
    expect(normalizeNow({ tool, outcome: returned(value) })).toMatchObject({
      failure: { code: "tool_error", message: '"t" failed: rate limited\n{"code":"RATE"}.' },
      metadata: { structured: { code: "RATE" } },
    });
  });
});

describe("A tool's own normalizer", () => {
  it("makes the text, out of copies of value and arguments", () => {
    const value = { rows: [1] };
    const outcome = returned(value);
    const own: Tool["normalize"] = (given, context) => {
      Object.assign(Object(given), { rows: [] });
      return `${JSON.stringify(context)}`;
    };
    const result = normalizeNow({
      tool: withTool({ normalize: own }),
      outcome,
      arguments: { a: 1 },
    });
    expect(result.output).toBe('{"callId":"c1","toolName":"t","arguments":{"a":1}}');
    expect(result.metadata.structured).toEqual({ rows: [1] });
  });

  it("may take its time", async () => {
    const tool = withTool({ normalize: async () => "in words" });
    expect(await normalize({ call: CALL, tool, outcome: returned(1) })).toMatchObject({
      success: true,
      output: "in words",
    });
  });

  it("is not asked when the tool wrote a text itself, or failed", () => {
    const tool = withTool({
      normalize: () => {
        throw new Error("asked");
      },
    });
    expect(normalizeNow({ tool, outcome: returned(1, { output: "own" }) }).output).toBe("own");
    expect(normalizeNow({ tool, outcome: returned(1, { exitCode: 1 }) }).failure?.code).toBe(
      "tool_error",
    );
  });

  it.each<[what: string, own: unknown, message: string]>([
    [
      "throws",
      () => {
        throw new Error("no words");
      },
      "no words",
    ],
    [
      "throws what is no error",
      () => {
        throw ODD_VALUES["revoked function"]?.();
      },
      "something that is no Error was thrown: a function",
    ],
    ["rejects", () => Promise.reject(new Error("no words")), "no words"],
    ["gives no text", () => 4, "its normalizer gave number, not a text"],
    ["gives nothing", async () => null, "its normalizer gave null, not a text"],
    ["gives a thenable that throws", () => ODD_VALUES["thenable that throws"]?.(), "trap"],
  ])("that %s fails the call, and the output is kept", async (_, own, message) => {
    const tool = withTool({ normalize: own as NonNullable<Tool["normalize"]> });
    expect(await normalize({ call: CALL, tool, outcome: returned({ a: 1 }) })).toMatchObject({
      success: false,
      output: '{"a":1}',
      error: `"t" ran, but its result could not be put into words: ${message}. What it returned follows as it is.`,
      failure: { code: "normalize_failed", executed: "yes" },
    });
  });

  it("that does not answer in time is answered for", () => {
    const input: NormalizeInput = { call: CALL, outcome: returned("kept") };
    expect(normalizeFailed(input, new Error("too slow"))).toMatchObject({
      success: false,
      output: "kept",
    });
  });
});

function check(normalized: NormalizedResult): void {
  expect(JSON.parse(JSON.stringify(normalized))).toEqual(normalized);
  expect(normalized.failure === undefined).toBe(normalized.success);
  expect(normalized.error === undefined).toBe(normalized.success);
  expect(`${normalized.output}${normalized.error}`.isWellFormed()).toBe(true);
}

describe("Nothing that a tool returns or throws makes normalize throw:", () => {
  it.each(Object.keys(ODD_VALUES))("%s", (what) => {
    const returnedResult = normalizeNow({ outcome: toReturned(ODD_VALUES[what]?.()) });
    expect(returnedResult.success).toBe(true);
    expect(returnedResult.output?.length).toBeLessThan(51_000);
    expect(normalizeNow({ outcome: toThrew(ODD_VALUES[what]?.()) }).success).toBe(false);
  });

  it("anything", () => {
    fc.assert(
      fc.property(anything(), (make) => {
        check(normalizeNow({ outcome: toReturned(make()) }));
        check(normalizeNow({ outcome: toThrew(make()) }));
      }),
      { numRuns: 300 },
    );
  });

  it("any channels", () => {
    const text = fc.option(fc.string({ unit: "binary" }), { nil: undefined });
    const channels = fc.record(
      {
        // Once through JSON: fast-check gives -0 too, which is no value of the contract.
        value: fc.json().map((text): Json => JSON.parse(JSON.stringify(JSON.parse(text)))),
        output: text,
        stderr: text,
        exitCode: fc.option(fc.integer()),
        signal: fc.option(fc.string()),
        success: fc.boolean(),
        errorText: text,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(channels, fc.integer({ min: 1, max: 40 }), (given, outputChars) => {
        const set = Object.entries(given).filter(([, value]) => value !== undefined);
        const outcome = { ...Object.fromEntries(set), status: "returned" } as RawOutcome;
        check(
          normalizeNow({
            outcome,
            tool: withTool({ limits: { outputChars, stderrChars: outputChars } }),
          }),
        );
      }),
    );
  });
});
