import { describe, expect, it } from "vitest";
import type { Json } from "../../machines/index.ts";
import { createRegistry, type Registry } from "../../src/registry.ts";
import type { JsonSchema } from "../../src/tool.ts";
import { validateCall } from "../../src/validate/index.ts";
import { CASES, hasCases, type ListedTool, readCases, readListedTools } from "../support/cases.ts";
import { failureIn, judge } from "../support/judge.ts";

interface BfclTool {
  readonly tool_id: string;
  readonly parameters_jsonschema: JsonSchema;
}

interface BfclCase {
  readonly id: string;
  readonly tool_id: string;
  readonly arguments: Json;
  readonly expect_error_path: string;
  readonly expect_keyword: string;
}

function register(tools: readonly (readonly [name: string, schema: JsonSchema])[]): Registry {
  return createRegistry(
    tools.map(([name, inputSchema]) => ({ name, inputSchema, execute: () => null })),
    { strict: true },
  );
}

function bfclRegistry(): Registry {
  const tools = readCases("bfcl/tools.jsonl") as readonly BfclTool[];
  return register(tools.map((tool) => [tool.tool_id, tool.parameters_jsonschema]));
}

/** The cases whose verdict is not as it should be. */
function wrong(
  cases: readonly BfclCase[],
  isRight: (judged: ReturnType<typeof validateCall>, row: BfclCase) => boolean,
): readonly string[] {
  const registry = bfclRegistry();
  return cases.flatMap((row) => {
    // As models give them: half as data, half as text.
    const args = row.id.length % 2 === 0 ? row.arguments : JSON.stringify(row.arguments);
    const call = { id: row.id, name: row.tool_id, arguments: args };
    const judged = validateCall({ registry, call, repair: "none" });
    return isRight(judged, row) ? [] : [`${row.id}: ${JSON.stringify(judged)}`];
  });
}

describe(`Calls of the Berkeley Function Calling Leaderboard (${CASES})`, () => {
  it("are valid where the ground truth is", () => {
    const cases = readCases("bfcl/cases-valid.jsonl") as readonly BfclCase[];
    expect(cases.length).toBeGreaterThan(200);
    expect(
      wrong(cases, (judged, row) => {
        if (judged.ok) expect(judged.arguments).toEqual(row.arguments);
        return judged.ok;
      }),
    ).toEqual([]);
  });

  it("are invalid where they were broken, with a fault of that keyword at that path", () => {
    const cases = readCases("bfcl/cases-derived-invalid.jsonl") as readonly BfclCase[];
    expect(cases.length).toBeGreaterThan(300);
    expect(
      wrong(cases, (judged, { expect_error_path, expect_keyword }) => {
        if (judged.ok) return false;
        const { code, executed, faults = [], message } = judged.failure;
        return (
          code === "invalid_arguments" &&
          executed === "no" &&
          message.length <= 4_000 &&
          faults.some(
            ({ path, keyword }) => path === expect_error_path && keyword === expect_keyword,
          )
        );
      }),
    ).toEqual([]);
  });
});

interface ListedCase {
  readonly id: string;
  readonly file: string;
  readonly tool: string;
  readonly arguments: Json;
  readonly expect: "valid" | "invalid" | "policy";
  readonly instancePath?: string;
}

describe(`Tools of MCP servers (${CASES})`, () => {
  const nameOf = ({ file, name }: Pick<ListedTool, "file" | "name">): string =>
    `${file.replace(/^raw\//, "")}/${name}`.replaceAll(/[^\w.\-/:]/g, "_").slice(-128);
  const listed = readListedTools();
  const registry = register(listed.map((tool) => [nameOf(tool), tool.inputSchema]));

  it("are all registered, as they are", () => {
    expect(listed.length).toBeGreaterThan(60);
    expect(registry.broken).toEqual([]);
  });

  it("get the calls that fit them, and no others; faults are told at their paths", () => {
    const cases = readCases("mcp-tool-listings/cases-derived.jsonl") as readonly ListedCase[];
    const judged = cases.filter(
      // Some tools' schemas are empty: the text that was made for them is no arguments.
      (row) => row.expect !== "policy" && typeof row.arguments === "object",
    );
    expect(judged.length).toBeGreaterThan(150);
    const missed = judged.filter((row) => {
      const call = {
        id: row.id,
        name: nameOf({ file: row.file, name: row.tool }),
        arguments: row.arguments,
      };
      const verdict = validateCall({ registry, call, repair: "none" });
      if (verdict.ok !== (row.expect === "valid")) return true;
      if (verdict.ok) return false;
      return !verdict.failure.faults?.some(({ path }) => path === row.instancePath);
    });
    expect(missed).toEqual([]);
  });

  it("are compiled without fail when they are first called, as was promised when they were registered", () => {
    const failed = listed.filter((tool) =>
      registry
        .get(nameOf(tool))
        ?.check({})
        .some(({ keyword }) => keyword === "depth"),
    );
    expect(failed).toEqual([]);
  });
});

describe.runIf(hasCases("schema-dialects"))(
  `Schemas of converters and nasty ones (${CASES})`,
  () => {
    it("are either reported when they are registered, or compiled without fail", () => {
      const rows = [
        ...readCases("schema-dialects/converted-schemas.jsonl"),
        ...readCases("schema-dialects/nasty-schemas.jsonl"),
      ] as readonly { readonly schema: JsonSchema }[];
      let usable = 0;
      for (const [at, { schema }] of rows.entries()) {
        const registry = createRegistry(
          [{ name: `t${at}`, inputSchema: schema, execute: () => null }],
          { onBroken: () => {} },
        );
        const tool = registry.get(`t${at}`);
        if (tool === undefined) {
          expect(registry.broken).toHaveLength(1);
          continue;
        }
        usable += 1;
        for (const args of [{}, { a: 1 }]) {
          expect(tool.check(args).filter(({ keyword }) => keyword === "depth")).toEqual([]);
        }
      }
      expect(usable).toBeGreaterThan(rows.length * 0.8);
    });
  },
);

describe(`Broken texts of arguments (${CASES})`, () => {
  it("never become {} or a guess: they are refused, and as cut off where they are", () => {
    const rows = readCases("malformed-arguments/malformed.jsonl") as readonly {
      readonly id: string;
      readonly raw: string;
      readonly raw_generator?: unknown;
      readonly intended: Json;
      readonly verdict: string;
    }[];
    const judged = rows.filter(
      ({ raw, raw_generator }) => raw !== undefined && raw_generator === undefined,
    );
    expect(judged.length).toBeGreaterThan(35);
    for (const { id, raw, intended, verdict } of judged) {
      const result = judge({ type: "object" }, raw, { repair: "none" });
      if (result.ok) {
        // What parses is what was written; what a schema would have to mend is as it stands.
        expect(result.arguments, id).toEqual(JSON.parse(raw) ?? {});
        expect(["accept", "accept-empty", "policy", "repair-by-schema", "reject"], id).toContain(
          verdict,
        );
        if (verdict === "accept" || verdict === "accept-empty")
          expect(result.arguments, id).toEqual(intended);
        continue;
      }
      const { message } = failureIn(result);
      expect(verdict, id).not.toMatch(/^accept/);
      expect(message.includes("cut off"), id).toBe(verdict === "reject-as-truncated");
    }
  });
});
