/** The required tests of https://github.com/json-schema-org/JSON-Schema-Test-Suite, with every engine. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Json } from "../../machines/index.ts";
import type { JsonSchema } from "../../src/tool.ts";
import { adaptSchema } from "../../src/validate/dialect/adapt/adapt.ts";
import { compileFast } from "../../src/validate/dialect/fast.ts";
import { isForAjv } from "../../src/validate/dialect/for-ajv.ts";
import { compileValidator, type Dialect } from "../../src/validate/dialect/index.ts";
import { CASES, casePath } from "../support/cases.ts";

const SUITE = casePath("json-schema-test-suite");
const isWhole = (process.env["CALLCHART_CASES"] ?? "") !== "";

interface Group {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly tests: readonly {
    readonly description: string;
    readonly data: Json;
    readonly valid: boolean;
  }[];
}

function read<T>(path: string): T {
  const value: T = JSON.parse(readFileSync(path, "utf8"));
  return value;
}

function jsonFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".json"),
  );
}

const schemas = Object.fromEntries(
  jsonFiles(join(SUITE, "remotes")).map((name) => [
    `http://localhost:1234/${name}`,
    read<JsonSchema>(join(SUITE, "remotes", name)),
  ]),
);

function groupsOf(folder: string): readonly (Group & { readonly file: string })[] {
  const path = join(SUITE, "tests", folder);
  const files = readdirSync(path).filter((name) => name.endsWith(".json"));
  return files.flatMap((file) =>
    read<readonly Group[]>(join(path, file)).map((group) => ({ ...group, file })),
  );
}

const FOLDERS: readonly (readonly [folder: string, dialect: Dialect, whole: number])[] = [
  ["draft7", "draft-07", 927],
  ["draft2020-12", "2020-12", 1299],
];

describe.each(FOLDERS)(`The JSON Schema Test Suite, %s (${CASES})`, (folder, dialect, whole) => {
  const groups = groupsOf(folder);
  const options = { dialect, formats: "annotate", schemas } as const;
  const name = (group: { file: string; description: string }, test: { description: string }) =>
    `${group.file}: ${group.description}: ${test.description}`;

  it("is judged rightly, each of its tests", () => {
    const wrong = groups.flatMap((group) => {
      const { first, all } = compileValidator(group.schema, options);
      return group.tests
        .filter(
          ({ data, valid }) =>
            (first(data).length === 0) !== valid || (all(data).length === 0) !== valid,
        )
        .map((test) => name(group, test));
    });
    expect(wrong).toEqual([]);
    const count = groups.reduce((sum, { tests }) => sum + tests.length, 0);
    if (isWhole) expect(count).toBe(whole);
    else expect(count).toBeGreaterThan(20);
  });

  it("is judged alike by ajv, wherever ajv is asked", () => {
    let asked = 0;
    const wrong = groups.flatMap((group) => {
      const adapted = adaptSchema(group.schema, options);
      if (!isForAjv(adapted)) return [];
      const saysValid = compileFast(adapted, false);
      asked += group.tests.length;
      return group.tests
        .filter(({ data, valid }) => saysValid(data) !== valid)
        .map((test) => name(group, test));
    });
    expect(wrong).toEqual([]);
    if (isWhole) expect(asked).toBeGreaterThan(800);
  });
});
