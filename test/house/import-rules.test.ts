import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

const IMPORT = "lint/style/noRestrictedImports";
const CYCLE = "lint/suspicious/noImportCycles";
const UNDECLARED = "lint/correctness/noUndeclaredDependencies";

/** A file of the house, what it says, and the one rule that must report it. */
type Violation = readonly [file: string, text: string, rule: string];

const importOf = (specifier: string): string => `import "${specifier}";\n`;

const forbiddenImports: readonly (readonly [folder: string, specifiers: readonly string[]])[] = [
  [
    "machines",
    ["effect", "effect/Effect", "pino", "ajv", "node:fs", "../src/tool.ts", "../tools/index.ts"],
  ],
  ["machines", ["../visualizer/index.ts", "callchart"]],
  ["src", ["../tools/index.ts", "../visualizer/index.ts", "callchart/tools"]],
  ["src", ["ajv", "ajv/dist/2020.js", "ajv-formats", "pino", "effect", "effect/Effect"]],
  ["src/testing", ["../../tools/mock.ts", "../../visualizer/index.ts", "effect/Effect", "ajv"]],
  ["src/cli", ["ajv", "ajv-formats", "pino", "effect", "effect/Effect", "callchart"]],
  ["src/validate", ["../authorize/index.ts", "../execute/index.ts", "pino", "effect/Effect"]],
  ["src/validate", ["../normalize/index.ts", "../trace/index.ts", "../../tools/index.ts"]],
  ["src/authorize", ["../validate/index.ts", "../trace/index.ts", "ajv", "pino", "effect/Exit"]],
  ["src/execute", ["../validate/index.ts", "../normalize/index.ts", "ajv", "pino", "effect"]],
  ["src/execute/deep", ["../../authorize/index.ts", "../../../visualizer/index.ts"]],
  ["src/normalize", ["../execute/outcome.ts", "../trace/index.ts", "ajv", "pino", "effect/Exit"]],
  ["src/trace", ["../execute/index.ts", "../validate/index.ts", "ajv-formats", "effect/Effect"]],
  ["tools", ["../src/executor.ts", "../src/index.ts", "../src/trace/index.ts", "effect"]],
  ["tools/deep", ["../../src/validate/index.ts", "../../visualizer/index.ts", "ajv", "pino"]],
  ["visualizer", ["../src/index.ts", "../src/trace/index.ts", "../tools/index.ts", "pino"]],
  ["visualizer", ["effect/Effect", "ajv", "callchart/machines"]],
  ["test", ["effect"]],
  ["examples", ["effect"]],
];

const violations: readonly Violation[] = [
  ...forbiddenImports.flatMap(([folder, specifiers], row) =>
    specifiers.map(
      (specifier, column): Violation => [
        `${folder}/bad-${row}-${column}.ts`,
        importOf(specifier),
        IMPORT,
      ],
    ),
  ),
  ["src/tool.ts", importOf("effect"), IMPORT],
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
  ["tools/bad-undeclared.ts", importOf("left-pad"), UNDECLARED],
  ["src/bad-dev-dependency.ts", importOf("fast-check"), UNDECLARED],
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

const legal: Readonly<Record<string, readonly string[]>> = {
  "machines/good.ts": ["xstate", "./contract.ts"],
  "src/good.ts": ["../machines/index.ts", "./validate/index.ts", "./trace/index.ts", "xstate"],
  "src/validate/good.ts": ["ajv", "ajv/dist/2020.js", "ajv-formats", "../../machines/index.ts"],
  "src/authorize/good.ts": ["../tool.ts", "../plain.ts", "./policy.ts"],
  "src/execute/good.ts": ["effect/Effect", "effect/Exit", "../registry.ts", "node:crypto"],
  "src/normalize/good.ts": ["../plain.ts", "./text.ts"],
  "src/trace/good.ts": ["pino", "../plain.ts", "../../machines/index.ts"],
  "src/cli/good.ts": ["../../tools/index.ts", "../../visualizer/index.ts", "../trace/index.ts"],
  "src/cli/tools.ts": ["./default-tools.ts", "../executor.ts"],
  "tools/good.ts": ["../src/tool.ts", "../src/execute/command.ts", "../machines/index.ts"],
  "tools/deep/good.ts": ["../../src/tool.ts", "undici", "node:fs/promises", "./sibling.ts"],
  "visualizer/good.ts": ["../machines/index.ts", "./page.ts", "node:fs"],
  "test/good.ts": ["../src/index.ts", "../tools/index.ts", "ajv", "effect/Effect", "fast-check"],
  "examples/good.ts": ["callchart", "callchart/tools", "zod"],
};

/** Runs Biome over these files under the configuration of the house. Answers the rules reported for each file. */
function lint(files: ReadonlyMap<string, string>, folder: string): Map<string, string[]> {
  for (const name of ["biome.json", "package.json", ".gitignore"]) {
    cpSync(join(root, name), join(folder, name));
  }
  for (const [file, text] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, "node_modules/@biomejs/biome/bin/biome"),
      "lint",
      "--colors=off",
      "--reporter=json",
      "--max-diagnostics=none",
    ],
    { cwd: folder, encoding: "utf8" },
  );
  const start = stdout.indexOf("{");
  if (start < 0) throw new Error(`Biome printed no report: ${stderr}`);
  const report: {
    readonly diagnostics: readonly {
      readonly category: string;
      readonly location: { readonly path: string };
    }[];
  } = JSON.parse(stdout.slice(start));
  const reported = new Map<string, string[]>([...files.keys()].map((file) => [file, []]));
  for (const { category, location } of report.diagnostics) {
    reported.get(location.path)?.push(category);
  }
  return reported;
}

describe("the rules of the house, as Biome applies them", () => {
  const folder = mkdtempSync(join(tmpdir(), "callchart-house-"));
  let reported: Map<string, string[]>;

  beforeAll(() => {
    const files = new Map<string, string>([
      ["src/plain-types.ts", "export type Legal = string;\n"],
    ]);
    for (const [file, text] of violations) files.set(file, text);
    for (const [file, specifiers] of Object.entries(legal)) {
      files.set(file, specifiers.map(importOf).join(""));
    }
    reported = lint(files, folder);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(violations)("reports %s: %s", (file, _text, rule) => {
    expect(new Set(reported.get(file))).toEqual(new Set([rule]));
  });

  it.each(Object.keys(legal))("lets %s import what it may", (file) => {
    expect(reported.get(file)).toEqual([]);
  });

  it("sees no value of Effect imported by the definition of a tool", () => {
    const text = readFileSync(join(root, "src/tool.ts"), "utf8");
    const imports = text.match(/^(?:import|export)[^;]*from "effect\/[^"]+"/gm) ?? [];
    expect(imports.filter((line) => !/^(?:import|export) type /.test(line))).toEqual([]);
  });
});
