/**
 * What the validate stage costs: `npm run bench:arguments`. Nothing here passes or fails; the figures that the docs quote
 * come from it. Ratios hold across machines, microseconds do not.
 */
import { loadavg } from "node:os";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";
import { createRegistry } from "../../src/registry.ts";
import type { JsonSchema } from "../../src/tool.ts";
import { parseArguments, validateCall } from "../../src/validate/index.ts";
import { readCases, readListedTools } from "../support/cases.ts";
import { percentile } from "./measure.ts";

const ROUNDS = 9;

/** Microseconds that each of some functions takes for one pass, interleaved, the median of the rounds. */
function compare(passes: ReadonlyMap<string, () => void>): ReadonlyMap<string, number> {
  const times = new Map([...passes.keys()].map((name) => [name, [] as number[]]));
  for (const pass of passes.values()) for (let warm = 0; warm < 3; warm += 1) pass();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, pass] of passes) {
      const begin = performance.now();
      pass();
      times.get(name)?.push((performance.now() - begin) * 1000);
    }
  }
  return new Map([...times].map(([name, taken]) => [name, percentile(taken, 0.5)]));
}

function tell(title: string, times: ReadonlyMap<string, number>, calls: number): void {
  const [base = Number.NaN] = times.values();
  process.stdout.write(`${title} (${calls} calls, median of ${ROUNDS} rounds)\n`);
  for (const [name, us] of times) {
    process.stdout.write(
      `  ${name.padEnd(40)} ${(us / calls).toFixed(2)} µs   ${(us / base).toFixed(2)} ×\n`,
    );
  }
}

interface ValidCall {
  readonly tool: string;
  readonly value: JsonSchema;
  readonly text: string;
}

/** The valid calls of the case sets, each with ajv's own compiled function. */
function validCalls() {
  const tools = readCases("bfcl/tools.jsonl") as readonly {
    tool_id: string;
    parameters_jsonschema: JsonSchema;
  }[];
  const rows = readCases("bfcl/cases-valid.jsonl") as readonly {
    tool_id: string;
    arguments: JsonSchema;
  }[];
  const ajv = new Ajv2020({ strict: false });
  addFormatsModule.default(ajv);
  const alone = new Map(
    tools.map((tool) => [tool.tool_id, ajv.compile(tool.parameters_jsonschema)]),
  );
  const registry = createRegistry(
    tools.map((tool) => ({
      name: tool.tool_id,
      inputSchema: tool.parameters_jsonschema,
      execute: () => null,
    })),
    { strict: true },
  );
  const calls = rows.map(
    (row): ValidCall => ({
      tool: row.tool_id,
      value: row.arguments,
      text: JSON.stringify(row.arguments),
    }),
  );
  return { alone, registry, calls };
}

function benchValidCalls(): void {
  const { alone, registry, calls } = validCalls();
  const judged = calls.map(({ tool, value, text }) => {
    const own = alone.get(tool);
    const registered = registry.get(tool);
    if (own === undefined || registered === undefined) throw new Error(`no tool ${tool}`);
    return { own, check: registered.check, value: value as never, text, tool };
  });
  const all = (work: (call: (typeof judged)[number]) => boolean) => (): void => {
    for (const call of judged) if (!work(call)) throw new Error(`refused: ${call.text}`);
  };
  const check = all(({ check, value }) => check(value).length === 0);
  const againstAjv = (title: string): void =>
    tell(
      title,
      compare(
        new Map([
          ["ajv alone", all(({ own, value }) => own(value) === true)],
          ["check", check],
        ]),
      ),
      judged.length,
    );
  againstAjv("A valid value against the schema of a tool that is rarely called");
  // A schema that has judged a while is compiled.
  for (let pass = 0; pass < 3_000; pass += 1) check();
  againstAjv("A valid value against the schema of a tool that is often called");
  tell(
    "Valid raw text to validated arguments",
    compare(
      new Map([
        ["JSON.parse, then ajv alone", all(({ own, text }) => own(JSON.parse(text)) === true)],
        [
          "parseArguments, then check",
          all(({ check, text }) => {
            const parsed = parseArguments(text);
            return parsed.kind === "value" && check(parsed.value).length === 0;
          }),
        ],
        [
          "validateCall (resolves the name as well)",
          all(
            ({ tool, text }) =>
              validateCall({ registry, call: { id: "1", name: tool, arguments: text } }).ok,
          ),
        ],
      ]),
    ),
    judged.length,
  );
}

const COUNT = 2_500;

function benchRegistering(): void {
  const listed = readListedTools();
  const tools = Array.from({ length: COUNT }, (_, at) => {
    const tool = listed[at % listed.length];
    // Each its own object, as when every server sends its list.
    return {
      name: `tool_${at}`,
      inputSchema: structuredClone(tool?.inputSchema ?? {}),
      execute: () => null,
    };
  });
  const heap = (): number => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed / 1_048_576;
  };
  const before = heap();
  const begin = performance.now();
  const registry = createRegistry(tools, { onBroken: () => {} });
  const ms = performance.now() - begin;
  process.stdout.write(
    `Registering ${COUNT} tools of MCP servers: ${ms.toFixed(0)} ms, ` +
      `${(heap() - before).toFixed(0)} MiB kept, ${registry.broken.length} broken\n`,
  );
  const calls = registry.names().map((name) => ({ id: "1", name, arguments: {} }));
  const first = performance.now();
  for (const call of calls) validateCall({ registry, call });
  process.stdout.write(
    `  the first call of each: ${(((performance.now() - first) * 1000) / COUNT).toFixed(0)} µs\n`,
  );
}

process.stdout.write(`Node ${process.version}, load ${loadavg()[0]?.toFixed(2)}\n`);
benchRegistering();
benchValidCalls();
process.stdout.write(`load at the end ${loadavg()[0]?.toFixed(2)}\n`);
