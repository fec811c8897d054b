/** Three ways to watch: an inspector of your own, the Stately bridge, and a page of a recording. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInspector } from "@statelyai/inspect";
import { createExecutor, createRecordingSink, createRegistry, readRecording } from "callchart";
import { divide } from "callchart/tools";
import { renderPage, toStatelyInspect } from "callchart/visualizer";

const folder = await mkdtemp(join(tmpdir(), "callchart-"));
const file = join(folder, "calls.jsonl");

// The official inspector, here with an adapter that counts. In a browser: createBrowserInspector().
const sent: unknown[] = [];
const inspector = createInspector({ send: (message) => sent.push(message), start() {}, stop() {} });

const executor = createExecutor({
  registry: createRegistry([divide]),
  inspect: toStatelyInspect(inspector),
  sinks: [createRecordingSink({ file })],
});
await executor.execute({ id: "call_1", name: "divide", arguments: { dividend: 1, divisor: 0 } });
await executor.close();

const recording = readRecording(await readFile(file, "utf8"));
const page = join(folder, "calls.html");
await writeFile(page, renderPage(recording));

// The inspector converts on a timer of its own.
await new Promise((resolve) => setTimeout(resolve, 50));
assert.ok(sent.length > 5, "the inspector saw the stages");
assert.match(await readFile(page, "utf8"), /<!doctype html>/i);
console.log(`${recording.records.length} call recorded, ${sent.length} messages for the inspector`);
await rm(folder, { recursive: true });
