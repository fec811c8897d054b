/** Public reports of what went wrong with arguments and names elsewhere: here each ends as it should. */
import { describe, expect, it } from "vitest";
import type { ToolResult } from "../../machines/index.ts";
import { createExecutor, createRegistry, type ExecutorOptions } from "../../src/index.ts";
import { CASES, readCases } from "../support/cases.ts";

interface Call {
  readonly id?: string;
  readonly name?: string;
  readonly arguments?: unknown;
}

interface Report {
  readonly id: string;
  readonly kind: string;
  readonly stage: string;
  readonly input: {
    readonly schema?: object;
    readonly tools?: readonly string[];
    readonly call?: Call;
    readonly also?: Call;
    readonly calls?: readonly Call[] | number;
    readonly text?: string;
  };
}

interface Ran {
  readonly results: readonly ToolResult[];
  /** What the tool got, each time that it ran. */
  readonly got: readonly unknown[];
  readonly broken: readonly string[];
}

async function run({ input }: Report, options: Partial<ExecutorOptions> = {}): Promise<Ran> {
  const { call, also, calls, text } = input;
  const given: readonly Call[] = [
    ...(call === undefined ? [] : [call]),
    ...(also === undefined ? [] : [also]),
    ...(Array.isArray(calls) ? (calls as readonly Call[]) : []),
    ...(typeof calls === "number"
      ? Array.from({ length: calls }, () => ({ arguments: { m: "x" } }))
      : []),
    ...(text === undefined ? [] : [{ arguments: text }]),
  ];
  const called = given.length === 0 ? [{}] : given;
  const names = input.tools ?? [...new Set(called.map(({ name }: Call) => name ?? "t"))];
  const got: unknown[] = [];
  const tools = [...names, "other"].map((name) => ({
    name,
    inputSchema: (name === "other" ? { type: "object" } : (input.schema ?? { type: "object" })) as {
      type: "object";
    },
    execute(args: unknown) {
      got.push(args);
      return "done";
    },
  }));
  const registry = createRegistry(tools, { onBroken: () => {} });
  const executor = createExecutor({ registry, ...options });
  const results = await executor.executeAll(
    given.map((each, at) => ({
      id: each.id ?? `c${at}`,
      name: each.name ?? names[0] ?? "t",
      arguments: each.arguments,
    })),
  );
  return { results, got, broken: registry.broken.map(({ name }) => name) };
}

type Check = (ran: Ran, report: Report) => void | Promise<void>;
/** A check that needs nothing but what happened. */
type Look = (ran: Ran) => void;

const gets =
  (...args: readonly unknown[]): Look =>
  ({ results, got }) => {
    expect(results.map(({ success }) => success)).toEqual(args.map(() => true));
    expect(got).toEqual(args);
  };
const refused =
  (...words: readonly string[]): Look =>
  ({ results, got }) => {
    expect(got).toEqual([]);
    for (const { success, failure, error = "" } of results) {
      expect(success).toBe(false);
      expect(failure).toMatchObject({ code: "invalid_arguments", executed: "no" });
      for (const word of words) expect(error).toContain(word);
      expect(error.length).toBeLessThan(1_500);
    }
  };
const unknown =
  (...words: readonly string[]): Check =>
  ({ results, got }) => {
    expect(got).toEqual([]);
    expect(results[0]?.failure?.code).toBe("unknown_tool");
    for (const word of words) expect(results[0]?.error).toContain(word);
  };

const CHECKS = new Map<string, Check>([
  ["BR001", gets({})],
  ["BR002", gets({})],
  ["BR003", gets({})],
  ["BR005", gets({})],
  ["BR006", refused("line 1, column")],
  [
    "BR007",
    ({ results, got }) => {
      expect(results.map(({ success }) => success)).toEqual([false, true]);
      expect(got).toEqual([{ a: 1 }]);
    },
  ],
  ["BR010", refused("not JSON")],
  ["BR012", refused("cut off")],
  ["BR015", refused("no escape of JSON")],
  [
    "BR016",
    ({ results, got }) => {
      expect(got).toEqual([{ path: "a.txt" }, { path: "a.txt" }]);
      expect(results.map(({ metadata }) => metadata.repairs?.map(({ rule }) => rule))).toEqual([
        ["code-fence"],
        ["prose"],
      ]);
    },
  ],
  ["BR018", refused("line 1, column")],
  ["BR019", refused("cut off")],
  ["BR020", gets({ a: 1 })],
  ["BR021", refused("not JSON")],
  ["BR022", gets({ city: "Paris" })],
  ["BR023", gets({ shop: "A" })],
  ["BR027", gets({ a: 1 }, { a: 1 })],
  ["BR031", gets({ actions: [{ get: { q: "all" } }] })],
  ["BR034", gets({ value: null })],
  ["BR037", gets({ name: null })],
  ["BR038", refused("arguments.s", "arguments.n", "arguments.b", "null")],
  ["BR040", gets({ category: "e" })],
  ["BR041", gets({ b: {} })],
  ["BR042", gets({})],
  ["BR043", gets({})],
  ["BR044", gets({})],
  ["BR046", gets({ m: "hi" })],
  ["BR049", gets({ m: "x" }, { m: "x" })],
  ["BR050", ({ broken }) => expect(broken).toEqual(["t"])],
  ["BR054", gets({ m: "x" }, { m: "x" })],
  ["BR055", ({ broken }) => expect(broken).toEqual([])],
  ["BR058", refused("must be a JSON object")],
  ["BR060", refused('"treshold"', 'did you mean "threshold"')],
  ["BR062", refused('did you mean "filters"')],
  [
    "BR063",
    async (ran, report) => {
      gets({ a: 1, b: 2 })(ran);
      refused(
        "arguments.a must be a number",
        "arguments.b must be a number",
      )(await run(report, { repair: "none" }));
    },
  ],
  [
    "BR065",
    async (ran, report) => {
      gets({ kpi: "clicks" })(ran);
      refused('must be one of "none", "clicks"')(await run(report, { repair: "none" }));
    },
  ],
  [
    "BR067",
    (ran) => {
      refused('the key "action"')(ran);
      expect(new Set(ran.results.map(({ error }) => error)).size).toBe(1);
      expect(ran.results[0]?.error?.length).toBeLessThan(250);
    },
  ],
  ["BR073", unknown('Did you mean "search"?')],
  ["BR076", unknown("developer__shell")],
  [
    "BR078",
    ({ results, got }) => {
      expect(results.map(({ toolName, success }) => [toolName, success])).toEqual([
        ["read", true],
        ["functions.exec2", false],
        ["functionswrite3", false],
      ]);
      expect(got).toHaveLength(1);
    },
  ],
  [
    "BR080",
    ({ results }) => {
      expect(results.map(({ success }) => success)).toEqual([true, false]);
      expect(results[0]).toMatchObject({
        toolName: "Tool_get_prop",
        metadata: { calledAs: "tool_get_prop" },
      });
      expect(results[1]?.failure?.code).toBe("unknown_tool");
    },
  ],
  ["BR136", refused("2512292042121000001")],
  ["BR179", refused("not JSON")],
]);

describe(`Reported faults of the validate stage (${CASES})`, () => {
  const reports = (readCases("bug-reports.jsonl") as readonly Report[]).filter(
    ({ stage }) => stage === "validate",
  );

  it("are all looked at", () => {
    expect(new Set(reports.map(({ id }) => id))).toEqual(new Set(CHECKS.keys()));
  });

  it.each(reports.map((report) => [report.id, report.kind, report] as const))(
    "%s (%s) ends as it should",
    async (id, _, report) => {
      const ran = await run(report);
      await CHECKS.get(id)?.(ran, report);
      // What is told and kept is JSON itself.
      expect(JSON.parse(JSON.stringify(ran.results))).toEqual(ran.results);
    },
  );
});
