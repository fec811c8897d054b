import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadToolModule } from "../../src/cli/load-tools.ts";

let folder = "";
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "callchart-tools-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function moduleOf(source: string): Promise<string> {
  count += 1;
  const path = join(folder, `tools-${count}.mjs`);
  await writeFile(path, source);
  return path;
}

const load = async (source: string): ReturnType<typeof loadToolModule> =>
  loadToolModule(await moduleOf(source), "/");

describe("a module of tools", () => {
  it("may hold plain objects, with parameters as others call the schema", async () => {
    const { tools, warnings } = await load(
      "export default [{ name: 'f', parameters: { type: 'object' }, retry: { maxAttempts: 2 }, execute: () => 7 }]",
    );
    expect(warnings).toEqual([]);
    expect(tools).toMatchObject([
      { name: "f", inputSchema: { type: "object" }, retry: { maxAttempts: 2 } },
    ]);
  });

  it("may hold instances of a class, whose execute keeps its this", async () => {
    const { tools } = await load(
      `class F { name = "f"; inputSchema = { type: "object" }; answer = 42; execute() { return this.answer } }
       export default [new F()]`,
    );
    expect(Reflect.apply(tools[0]?.execute ?? String, undefined, [{}, {}])).toBe(42);
  });

  it("is found relative to the given folder", async () => {
    await moduleOf("export default [{ name: 'f', inputSchema: true, execute() {} }]");
    expect((await loadToolModule(`./tools-${count}.mjs`, folder)).tools).toHaveLength(1);
  });

  it("may export policies and limits", async () => {
    const { policy, limits } = await load(
      `export default [{ name: "f", inputSchema: true, execute() {} }];
       export const policy = [() => "deny"]; export const limits = { concurrency: 2 };`,
    );
    expect(policy).toHaveLength(1);
    expect(limits).toEqual({ concurrency: 2 });
  });

  it("keeps its good tools when others are none, and names those", async () => {
    const { tools, warnings } = await load(
      `export default [
         { name: "good", inputSchema: true, execute() {} },
         null, 7, { inputSchema: true, execute() {} }, { name: "a", execute() {} }, { name: "b", inputSchema: true },
       ]`,
    );
    expect(tools.map(({ name }) => name)).toEqual(["good"]);
    expect(warnings).toEqual([
      "tool #2 is left out: it is null, not an object",
      "tool #3 is left out: it is a number, not an object",
      "tool #4 is left out: it has no name",
      "tool a is left out: it has neither inputSchema nor parameters",
      "tool b is left out: it has no function execute",
    ]);
  });

  it.each([
    ["export const tools = []", "has no default export"],
    ["export default {}", "is an object, not an array of tools"],
    ["export default []", "is an empty array"],
    ["throw new Error('the key is missing')", "failed to load: the key is missing (at "],
    ["throw null", "failed to load: null"],
    ["export default [", "failed to load: "],
    ["import 'no-such-package'; export default []", "no-such-package"],
    ["export default [1]; export const policy = 1", "policy of"],
    ["export default [1]; export const limits = { concurrency: '2' }", "limits of"],
  ])("is refused when it is %j", async (source, message) => {
    await expect(load(source)).rejects.toThrow(message);
  });

  it("is refused when there is no such file, or it is a folder", async () => {
    await expect(loadToolModule("nowhere.ts", folder)).rejects.toThrow("cannot read nowhere.ts");
    await expect(loadToolModule(".", folder)).rejects.toThrow(". is not a file");
  });
});
