/** How the case sets of arguments, names and schemas are judged: the counts that `docs/arguments.md` gives. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../../machines/index.ts";
import { createRegistry, type Registry } from "../../src/registry.ts";
import type { JsonSchema } from "../../src/tool.ts";
import {
  compileValidator,
  type Dialect,
  type RepairMode,
  resolveName,
  validateCall,
} from "../../src/validate/index.ts";
import { casePath, hasCases, readCases, readListedTools } from "./cases.ts";

/** One row of the table: what was judged, and how many of how many ended as it says. */
export interface Count {
  readonly what: string;
  readonly count: string;
}

function register(tools: readonly (readonly [name: string, schema: JsonSchema])[]): Registry {
  return createRegistry(
    tools.map(([name, inputSchema]) => ({ name, inputSchema, execute: () => null })),
    { onBroken: () => {} },
  );
}

function ratio<T>(rows: readonly T[], isSo: (row: T) => boolean): string {
  const number = (value: number) => value.toLocaleString("en-US");
  return `${number(rows.filter(isSo).length)} of ${number(rows.length)}`;
}

interface BfclRow {
  readonly id: string;
  readonly kind?: string;
  readonly tool_id: string;
  readonly derived_from?: string;
  readonly arguments: Json;
}

function countBfcl(): readonly Count[] {
  const tools = readCases("bfcl/tools.jsonl") as readonly {
    readonly tool_id: string;
    readonly parameters: JsonSchema;
    readonly parameters_jsonschema: JsonSchema;
  }[];
  const registry = register(tools.map((tool) => [tool.tool_id, tool.parameters_jsonschema]));
  const asGiven = register(tools.map((tool) => [tool.tool_id, tool.parameters]));
  const valid = readCases("bfcl/cases-valid.jsonl") as readonly BfclRow[];
  const broken = readCases("bfcl/cases-derived-invalid.jsonl") as readonly BfclRow[];
  const right = new Map(valid.map((row) => [row.id, JSON.stringify(row.arguments)]));
  const read = (row: BfclRow, repair: RepairMode, tools = registry) =>
    validateCall({
      registry: tools,
      call: { id: row.id, name: row.tool_id, arguments: row.arguments },
      repair,
    });
  const isRestored = (row: BfclRow): boolean => {
    const result = read(row, "safe");
    return result.ok && JSON.stringify(result.arguments) === right.get(row.derived_from ?? "");
  };
  const mechanical = broken.filter(
    (row) => read(row, "safe").ok && right.has(row.derived_from ?? ""),
  );
  return [
    {
      what: "BFCL: schemas as they are given (`dict`, `float`) that are read",
      count: ratio(tools, ({ tool_id }) => asGiven.get(tool_id) !== undefined),
    },
    {
      what: "BFCL: valid calls that are accepted unchanged",
      count: ratio(valid, (row) => {
        const result = read(row, "lenient");
        return result.ok && result.repairs.length === 0;
      }),
    },
    {
      what: "BFCL: the same by the schemas as they are given",
      count: ratio(valid, (row) => read(row, "none", asGiven).ok),
    },
    {
      what: 'BFCL: broken calls that are refused with `repair: "none"`',
      count: ratio(broken, (row) => !read(row, "none").ok),
    },
    {
      what: 'BFCL: broken calls that are mended with `"safe"`',
      count: ratio(broken, (row) => read(row, "safe").ok),
    },
    {
      what: "BFCL: of those, read exactly as they were before they were broken",
      count: ratio(mechanical, isRestored),
    },
  ];
}

function countMcp(): readonly Count[] {
  const listed = readListedTools();
  const nameOf = (file: string, name: string): string =>
    `${file}/${name}`.replaceAll(/[^\w.\-/:]/g, "_").slice(-128);
  const registry = register(listed.map((tool) => [nameOf(tool.file, tool.name), tool.inputSchema]));
  const rows = (
    readCases("mcp-tool-listings/cases-derived.jsonl") as readonly {
      readonly id: string;
      readonly file: string;
      readonly tool: string;
      readonly arguments: Json;
      readonly expect: string;
    }[]
  ).filter((row) => row.expect !== "policy" && typeof row.arguments === "object");
  return [
    {
      what: "MCP servers: tools that are registered as they are listed",
      count: ratio(listed, ({ file, name }) => registry.get(nameOf(file, name)) !== undefined),
    },
    {
      what: "MCP servers: calls judged as expected",
      count: ratio(rows, (row) => {
        const call = { id: row.id, name: nameOf(row.file, row.tool), arguments: row.arguments };
        return validateCall({ registry, call, repair: "none" }).ok === (row.expect === "valid");
      }),
    },
  ];
}

interface Malformed {
  readonly id: string;
  readonly raw: string | null;
  readonly raw_generator?: string;
  readonly intended: Json;
  readonly verdict: string;
}

function countTexts(): readonly Count[] {
  const registry = register([["get_weather", { type: "object" }]]);
  const rows = (readCases("malformed-arguments/malformed.jsonl") as readonly Malformed[]).filter(
    ({ raw, raw_generator }) => typeof raw === "string" && raw_generator === undefined,
  );
  const read = ({ raw }: Malformed) =>
    validateCall({ registry, call: { id: "1", name: "get_weather", arguments: raw } });
  const isMended = (row: Malformed): boolean => {
    const result = read(row);
    return result.ok && result.repairs.length > 0;
  };
  const mended = rows.filter(isMended);
  const cut = rows.filter(({ verdict }) => verdict === "reject-as-truncated");
  return [
    {
      what: "Malformed texts that are accepted as they are (the schema decides)",
      count: ratio(rows, (row) => read(row).ok && !isMended(row)),
    },
    { what: "Malformed texts that are mended", count: ratio(rows, isMended) },
    {
      what: "of those, to exactly what was intended",
      count: ratio(mended, (row) => {
        const result = read(row);
        return result.ok && JSON.stringify(result.arguments) === JSON.stringify(row.intended);
      }),
    },
    { what: "Malformed texts that are refused", count: ratio(rows, (row) => !read(row).ok) },
    {
      what: "Texts that were cut off, refused as cut off",
      count: ratio(cut, (row) => {
        const result = read(row);
        return !result.ok && result.failure.message.includes("cut off");
      }),
    },
  ];
}

function countNames(): readonly Count[] {
  const rows = readCases("malformed-arguments/tool-names.jsonl") as readonly {
    readonly raw: string;
    readonly registered: readonly string[];
    readonly intended: string | null;
  }[];
  return [
    {
      what: "Wrong names that mean what was intended, or no tool where none was",
      count: ratio(rows, ({ raw, registered, intended }) => {
        const resolved = resolveName(raw, registered);
        return (resolved.kind === "tool" ? resolved.name : null) === intended;
      }),
    },
  ];
}

function countSuite(): readonly Count[] {
  if (!hasCases("json-schema-test-suite")) return [];
  const root = casePath("json-schema-test-suite");
  const documents = new Map<string, JsonSchema>();
  const walk = (folder: string, uri: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path, `${uri}/${entry.name}`);
      else if (entry.name.endsWith(".json"))
        documents.set(`${uri}/${entry.name}`, JSON.parse(readFileSync(path, "utf8")));
    }
  };
  walk(join(root, "remotes"), "http://localhost:1234");
  const drafts: readonly (readonly [folder: string, dialect: Dialect, own: RegExp])[] = [
    ["draft7", "draft-07", /1234\/(?:draft7\/|(?!draft|v1))/],
    ["draft2020-12", "2020-12", /1234\/(?:draft2020-12\/|(?!draft|v1))/],
  ];
  return drafts.flatMap(([folder, dialect, own]) => {
    const files = join(root, "tests", folder);
    if (!hasCases(`json-schema-test-suite/tests/${folder}`)) return [];
    const schemas = Object.fromEntries([...documents].filter(([uri]) => own.test(uri)));
    const verdicts = readdirSync(files)
      .filter((file) => file.endsWith(".json"))
      .flatMap((file) => {
        const groups: readonly {
          schema: JsonSchema;
          tests: readonly { data: Json; valid: boolean }[];
        }[] = JSON.parse(readFileSync(join(files, file), "utf8"));
        return groups.flatMap(({ schema, tests }) =>
          judgeGroup(schema, tests, { dialect, schemas }),
        );
      });
    return [
      {
        what: `JSON-Schema-Test-Suite, required tests of ${dialect}`,
        count: ratio(verdicts, (isRight) => isRight),
      },
    ];
  });
}

function judgeGroup(
  schema: JsonSchema,
  tests: readonly { readonly data: Json; readonly valid: boolean }[],
  {
    dialect,
    schemas,
  }: { readonly dialect: Dialect; readonly schemas: { readonly [uri: string]: JsonSchema } },
): readonly boolean[] {
  const documents = JSON.stringify(schema).includes("localhost:1234") ? schemas : {};
  try {
    const validator = compileValidator(schema, {
      dialect,
      formats: "annotate",
      schemas: documents,
    });
    return tests.map(({ data, valid }) => (validator.first(data).length === 0) === valid);
  } catch {
    return tests.map(() => false);
  }
}

/** All counts, in the order of the table. Sets that are not there are left out. */
export function countArguments(): readonly Count[] {
  return [...countBfcl(), ...countMcp(), ...countTexts(), ...countNames(), ...countSuite()];
}
