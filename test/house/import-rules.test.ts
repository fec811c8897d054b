import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Everything that a rule speaks about, and a few things that none does. Paths stand from the root of the package. */
const packages = [
  "ajv",
  "ajv/dist/2020.js",
  "ajv-formats",
  "ajv-formats/dist/formats.js",
  "callchart",
  "callchart/tools",
  "effect",
  "effect/Effect",
  "node:fs",
  "pino",
  "pino/file",
  "undici",
  "xstate",
];
const house = [
  "machines/contract.ts",
  "src/authorize/policy.ts",
  "src/execute/attempt.ts",
  "src/normalize/text.ts",
  "src/plain.ts",
  "src/tool.ts",
  "src/trace/index.ts",
  "src/validate/index.ts",
  "tools/index.ts",
  "visualizer/index.ts",
];

const validator = ["ajv", "ajv/dist/2020.js", "ajv-formats", "ajv-formats/dist/formats.js"];
const logger = ["pino", "pino/file"];
const effect = ["effect", "effect/Effect"];
const self = ["callchart", "callchart/tools"];
const above = ["tools/index.ts", "visualizer/index.ts"];
const stages = [
  "src/authorize/policy.ts",
  "src/execute/attempt.ts",
  "src/normalize/text.ts",
  "src/trace/index.ts",
  "src/validate/index.ts",
];
const ports = [...validator, ...logger, ...self];

const except = (list: readonly string[], ...left: readonly string[]): readonly string[] =>
  list.filter((specifier) => !left.includes(specifier));

/** What Biome must report in each file. It must report nothing else of what stands above. */
const forbidden: Readonly<Record<string, readonly string[]>> = {
  "machines/probe.ts": except([...packages, ...house], "xstate", "machines/contract.ts"),
  "src/probe.ts": [...ports, ...effect, ...above],
  "src/tool.ts": [...ports, "effect", ...above],
  "src/testing/probe.ts": [...ports, ...effect, ...above],
  "src/cli/probe.ts": [...ports, ...effect],
  "src/validate/probe.ts": [
    ...except([...ports, ...stages], ...validator, "src/validate/index.ts"),
    ...effect,
    ...above,
  ],
  "src/authorize/probe.ts": [
    ...except([...ports, ...stages], "src/authorize/policy.ts"),
    ...effect,
    ...above,
  ],
  "src/execute/probe.ts": [
    ...except([...ports, ...stages], "src/execute/attempt.ts"),
    "effect",
    ...above,
  ],
  "src/normalize/probe.ts": [
    ...except([...ports, ...stages], "src/normalize/text.ts"),
    ...effect,
    ...above,
  ],
  "src/trace/probe.ts": [
    ...except([...ports, ...stages], ...logger, "src/trace/index.ts"),
    ...effect,
    ...above,
  ],
  "tools/probe.ts": [
    ...ports,
    ...effect,
    ...except(stages, "src/execute/attempt.ts"),
    "src/plain.ts",
    "visualizer/index.ts",
  ],
  "tools/deep/probe.ts": [
    ...ports,
    ...effect,
    ...except(stages, "src/execute/attempt.ts"),
    "src/plain.ts",
    "visualizer/index.ts",
  ],
  "visualizer/probe.ts": [
    ...ports,
    ...effect,
    ...house.filter((path) => path.startsWith("src/")),
    "tools/index.ts",
  ],
  "test/probe.ts": ["effect"],
  "examples/probe.ts": ["effect"],
};

const IMPORT = "lint/style/noRestrictedImports";
const CYCLE = "lint/suspicious/noImportCycles";
const UNDECLARED = "lint/correctness/noUndeclaredDependencies";

/** A file of the house, what it says, and the one rule that must report it. */
type Violation = readonly [file: string, text: string, rule: string];

const violations: readonly Violation[] = [
  ["machines/bad-type.ts", 'export type { Tool } from "../src/tool.ts";\n', IMPORT],
  ["src/bad-reexport.ts", 'export { tools } from "../tools/index.ts";\n', IMPORT],
  ["src/bad-lazy.ts", 'export const lazy = () => import("../tools/index.ts");\n', IMPORT],
  [
    "src/cycle-a.ts",
    'import { b } from "./cycle-b.ts";\n\nexport const a = (): number => b();\n',
    CYCLE,
  ],
  [
    "src/cycle-b.ts",
    'import { a } from "./cycle-a.ts";\n\nexport const b = (): number => a();\n',
    CYCLE,
  ],
  [
    "machines/type-cycle-a.ts",
    'import type { B } from "./type-cycle-b.ts";\n\nexport interface A {\n  readonly b: B;\n}\n',
    CYCLE,
  ],
  [
    "machines/type-cycle-b.ts",
    'import type { A } from "./type-cycle-a.ts";\n\nexport interface B {\n  readonly a: A;\n}\n',
    CYCLE,
  ],
  ["tools/bad-undeclared.ts", 'import "left-pad";\n', UNDECLARED],
  ["src/bad-dev-dependency.ts", 'import "fast-check";\n', UNDECLARED],
  [
    "src/bad-any.ts",
    "export const loose = (value: any): void => void value;\n",
    "lint/suspicious/noExplicitAny",
  ],
  [
    "src/bad-assertion.ts",
    "export const first = (list: readonly string[]): string => list[0]!;\n",
    "lint/style/noNonNullAssertion",
  ],
  [
    "src/bad-import-type.ts",
    'import { Legal } from "./plain-types.ts";\n\nexport type Same = Legal;\n',
    "lint/style/useImportType",
  ],
  [
    "src/bad-extension.ts",
    'export type { Legal } from "./plain-types";\n',
    "lint/correctness/useImportExtensions",
  ],
  [
    "src/bad-floating.ts",
    "async function work(): Promise<void> {}\n\nexport function start(): void {\n  work();\n}\n",
    "lint/nursery/noFloatingPromises",
  ],
  [
    "tools/bad-long.ts",
    `export function long(log: (line: number) => void): void {\n${Array.from({ length: 41 }, (_, line) => `  log(${line});\n`).join("")}}\n`,
    "lint/complexity/noExcessiveLinesPerFunction",
  ],
];

const specifiers = [...packages, ...house];

/** One import a line, in the order of `specifiers`, so that the line of a report tells which it is. */
function probe(file: string): string {
  const lines = specifiers.map((specifier) => {
    if (packages.includes(specifier)) return `import "${specifier}";\n`;
    const path = relative(dirname(file), specifier);
    return `import "${path.startsWith(".") ? path : `./${path}`}";\n`;
  });
  return lines.join("");
}

interface Report {
  readonly rule: string;
  readonly line: number;
}

/** Runs Biome over these files under the configuration of the house. Answers what it reports in each of them. */
function lint(files: ReadonlyMap<string, string>, folder: string): Map<string, Report[]> {
  for (const name of ["biome.json", "package.json", ".gitignore"]) {
    cpSync(join(root, name), join(folder, name));
  }
  for (const [file, text] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [biome, "lint", "--colors=off", "--reporter=json", "--max-diagnostics=none"],
    { cwd: folder, encoding: "utf8" },
  );
  const start = stdout.indexOf("{");
  if (start < 0) throw new Error(`Biome printed no report: ${stderr}`);
  const output: BiomeOutput = JSON.parse(stdout.slice(start));
  const reports = new Map<string, Report[]>([...files.keys()].map((file) => [file, []]));
  for (const { category, location } of output.diagnostics) {
    reports.get(location.path)?.push({ rule: category, line: location.start.line });
  }
  return reports;
}

/** The part of Biome's JSON report that is read here. Lines count from 1. */
interface BiomeOutput {
  readonly diagnostics: readonly {
    readonly category: string;
    readonly location: { readonly path: string; readonly start: { readonly line: number } };
  }[];
}

describe("the rules of the house, as Biome applies them", () => {
  const folder = mkdtempSync(join(tmpdir(), "callchart-house-"));
  let reports: Map<string, Report[]>;

  beforeAll(() => {
    const files = new Map([["src/plain-types.ts", "export type Legal = string;\n"]]);
    for (const [file, text] of violations) files.set(file, text);
    for (const file of Object.keys(forbidden)) files.set(file, probe(file));
    reports = lint(files, folder);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(Object.entries(forbidden))(
    "lets %s import what it may and nothing else",
    (file, list) => {
      const reported = reports.get(file)?.filter(({ rule }) => rule === IMPORT) ?? [];
      const names = reported.map(({ line }) => specifiers[line - 1]);
      expect(names.sort()).toEqual([...list].sort());
    },
  );

  it.each(violations)("reports %s: %s", (file, _text, rule) => {
    expect(new Set(reports.get(file)?.map((report) => report.rule))).toEqual(new Set([rule]));
  });

  it("reports nothing in a legal file", () => {
    expect(reports.get("src/plain-types.ts")).toEqual([]);
  });

  it("sees no value of Effect imported by the definition of a tool", () => {
    const text = readFileSync(join(root, "src/tool.ts"), "utf8");
    const imports = text.match(/^(?:import|export)[^;]*from "effect\/[^"]+"/gm) ?? [];
    expect(imports.filter((line) => !/^(?:import|export) type /.test(line))).toEqual([]);
  });
});
