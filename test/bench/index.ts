/**
 * What a call costs: `npm run bench`. Nothing here passes or fails; the figures that the docs quote come from it.
 * Ratios hold across machines, microseconds do not.
 */
import { execFileSync } from "node:child_process";
import { loadavg } from "node:os";
import { Ajv2020 } from "ajv/dist/2020.js";
import { createExecutor, createRegistry, defineTool, type Executor } from "../../src/index.ts";
import { interleave, percentile } from "./measure.ts";

const inputSchema = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1 },
    limit: { type: "integer", minimum: 1, maximum: 1000 },
    flags: { type: "array", items: { type: "string" } },
  },
  required: ["path"],
  additionalProperties: false,
} as const;
const args = { path: "notes/today.md", limit: 10, flags: ["a", "b"] };

const read = defineTool({
  name: "read",
  inputSchema,
  execute: async ({ path }: { path: string }) => ({ ok: true, path }),
});
const nap = defineTool({
  name: "nap",
  inputSchema: { type: "object" },
  execute: () => new Promise((resolve) => setTimeout(resolve, 20, "rested")),
});

const validate = new Ajv2020().compile(inputSchema);

/** The same work by hand: a compiled schema, a deadline, an await, and JSON. */
function byHand(): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!validate(args)) return reject(new Error("invalid"));
    const controller = new AbortController();
    const timer = setTimeout(() => {
      controller.abort();
      reject(new Error("timeout"));
    }, 30_000);
    Promise.resolve({ ok: true, path: args.path }).then((value) => {
      clearTimeout(timer);
      resolve(JSON.stringify(value));
    }, reject);
  });
}

function createBenchExecutor(concurrency: number): Executor {
  return createExecutor({
    registry: createRegistry([read, nap], { strict: true }),
    limits: { concurrency, maxQueued: 100_000 },
  });
}

async function oneCall(): Promise<void> {
  const executor = createBenchExecutor(64);
  const call = { id: "c", name: "read", arguments: args };
  const timings = await interleave([
    { name: "by hand", call: byHand },
    { name: "execute", call: () => executor.execute(call) },
  ]);
  const hand = timings[0]?.quietUs ?? Number.NaN;
  process.stdout.write("One call of a trivial tool, one after the other\n");
  for (const { name, quietUs, medianUs, cpuUs } of timings) {
    process.stdout.write(
      `  ${name.padEnd(8)} quiet ${quietUs.toFixed(1)} µs   median ${medianUs.toFixed(1)} µs   ` +
        `processor ${cpuUs.toFixed(1)} µs   ${(quietUs / hand).toFixed(1)} × by hand\n`,
    );
  }
}

async function inFlight(count: number): Promise<void> {
  const walls: number[] = [];
  const bytes: number[] = [];
  const left: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const executor = createBenchExecutor(count);
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    const begin = performance.now();
    const results = Array.from({ length: count }, (_, at) =>
      executor.execute({ id: `c${at}`, name: "nap", arguments: {} }),
    );
    if (globalThis.gc !== undefined) {
      globalThis.gc();
      bytes.push((process.memoryUsage().heapUsed - before) / count);
    }
    const settled = await Promise.all(results);
    walls.push(performance.now() - begin);
    if (settled.some(({ success }) => !success)) throw new Error("a call failed");
    results.length = 0;
    settled.length = 0;
    globalThis.gc?.();
    left.push((process.memoryUsage().heapUsed - before) / count);
  }
  process.stdout.write(
    `${count} calls in flight, a tool of 20 ms\n` +
      `  all done after ${percentile(walls, 0.5).toFixed(0)} ms (${((percentile(walls, 0.5) * 1000) / count).toFixed(1)} µs a call)\n` +
      `  ${(percentile(bytes, 0.5) / 1024).toFixed(2)} KiB a call in flight, ${(percentile(left, 0.5) / 1024).toFixed(2)} KiB a call left afterwards\n`,
  );
}

function importAndFirstCall(): void {
  const script = `
    const begin = performance.now();
    const { createExecutor, createRegistry } = await import("callchart");
    const imported = performance.now();
    const tool = { name: "t", inputSchema: { type: "object" }, execute: () => "x" };
    const executor = createExecutor({ registry: createRegistry([tool]) });
    await executor.execute({ id: "1", name: "t", arguments: {} });
    console.log(JSON.stringify([imported - begin, performance.now() - begin]));`;
  for (const [label, flags] of [
    ["built", []],
    ["sources", ["--conditions=source"]],
  ] as const) {
    const runs = Array.from({ length: 7 }, () => {
      const output = execFileSync(
        process.execPath,
        [...flags, "--input-type=module", "-e", script],
        {
          encoding: "utf8",
        },
      );
      return JSON.parse(output) as [number, number];
    });
    process.stdout.write(
      `A fresh process (${label}): import ${percentile(
        runs.map(([first]) => first),
        0.5,
      ).toFixed(0)} ms, ` +
        `import and first call ${percentile(
          runs.map(([, second]) => second),
          0.5,
        ).toFixed(0)} ms\n`,
    );
  }
}

process.stdout.write(`Node ${process.version}, load ${loadavg()[0]?.toFixed(2)}\n`);
await oneCall();
await inFlight(10_000);
importAndFirstCall();
process.stdout.write(`load at the end ${loadavg()[0]?.toFixed(2)}\n`);
