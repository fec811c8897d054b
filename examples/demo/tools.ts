/**
 * The tools of the demonstration: the real ones where a real one can show it, and mock tools for what a real one does only
 * on a bad day.
 */
import { fileURLToPath } from "node:url";
import type { AnyTool, ExecutorLimits } from "callchart";
import {
  clock,
  createHttpFetchTool,
  createMockTool,
  createReadFileTool,
  createRunCommandTool,
  divide,
} from "callchart/tools";

const root = fileURLToPath(new URL("../../", import.meta.url));

const real: AnyTool[] = [
  divide,
  clock,
  createReadFileTool({ root }),
  createHttpFetchTool(),
  // The same tool for the server that the demonstration starts on this machine.
  { ...createHttpFetchTool({ allowPrivate: true }), name: "local_fetch" },
  createRunCommandTool({ cwd: root }),
];

const object = { type: "object" } as const;

const mocks: AnyTool[] = [
  createMockTool({
    name: "stock_level",
    description: "Units of an article in stock. Its service is down twice before it answers.",
    inputSchema: object,
    retry: { maxAttempts: 3, baseMs: 40 },
    behaviour: {
      kind: "flaky",
      failures: 2,
      message: "503 from the stock service",
      value: { units: 42 },
    },
  }),
  createMockTool({
    name: "delete_account",
    description: "Deletes an account. The caller needs the permission accounts:delete.",
    inputSchema: object,
    permissions: ["accounts:delete"],
  }),
  createMockTool({
    name: "send_invoice",
    description: "Sends an invoice once a person has approved it.",
    inputSchema: object,
    requiresApproval: true,
    approvalTimeoutMs: 200,
  }),
  createMockTool({
    name: "print_label",
    description: "Prints a label. There is one printer.",
    inputSchema: object,
    concurrency: 1,
    behaviour: { kind: "return", value: "printed", delayMs: 600 },
  }),
  createMockTool({
    name: "run_untrusted",
    description: "Runs a program that nobody has read. It needs a sandbox.",
    inputSchema: object,
    isolation: "sandbox-os",
  }),
  createMockTool({
    name: "yearly_report",
    description: "Makes a report that takes too long; it stops when it is told to.",
    inputSchema: object,
    executionTimeoutMs: 200,
    behaviour: { kind: "hang" },
  }),
  createMockTool({
    name: "export_all",
    description: "Exports everything, takes too long, and does not stop when it is told to.",
    inputSchema: object,
    executionTimeoutMs: 200,
    graceMs: 100,
    behaviour: { kind: "ignoreAbort" },
  }),
  createMockTool({
    name: "watch_queue",
    description: "Waits for the next message, however long that takes.",
    inputSchema: object,
    behaviour: { kind: "hang" },
  }),
  createMockTool({
    name: "temperature",
    description: "The temperature of a city, as an object; today it returns a text.",
    inputSchema: object,
    outputSchema: { type: "object", required: ["celsius"] },
    behaviour: { kind: "return", value: "21 degrees" },
  }),
  createMockTool({
    name: "summarize",
    description: "Summarizes a text; its own normalizer has a bug.",
    inputSchema: object,
    behaviour: { kind: "return", value: { summary: null } },
    normalize: () => {
      throw new TypeError("cannot read 'length' of null");
    },
  }),
];

/** A call waits 150 ms for a slot, so that `overloaded` can be seen without waiting. */
export const limits: ExecutorLimits = { queueTimeoutMs: 150 };

export default [...real, ...mocks];
