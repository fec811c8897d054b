import type { CommandSpec, OptionSpec } from "./command.ts";
import { REPAIR } from "./repair-mode.ts";

const TOOLS: OptionSpec = {
  name: "tools",
  value: "MODULE",
  help: "File (.ts, .js, .mjs) whose default export is an array of tools. Default: the ready-made tools.",
};

const UNUSABLE = [2, "The command line or the input cannot be used."] as const;

const RUN: CommandSpec = {
  name: "run",
  summary: "Execute calls and show how each went.",
  operands: [
    {
      name: "CALLS.jsonl|-",
      required: true,
      help: 'One call a line: {id?, name, arguments, context?, approval?, cancelAfterMs?}, or {id, type: "function", function: {name, arguments}}. - is standard input.',
    },
  ],
  options: [
    TOOLS,
    { name: "json", help: "Print one ToolResult a line, in call order, and nothing else." },
    {
      name: "record",
      value: "FILE",
      help: "Write a recording for explain and view; one that is there is continued.",
    },
    { name: "strict", help: "Exit with 1 if any call failed." },
    {
      name: "concurrency",
      value: "N",
      wholeUpTo: 10_000,
      help: "Calls that may run at once. Default 8. With 1 they run one after another.",
    },
    {
      name: "timeout-ms",
      value: "N",
      wholeUpTo: 2_147_483_647,
      help: "Longest time for one attempt, in milliseconds. Default 60000.",
    },
    REPAIR,
    {
      name: "approve",
      value: "WHO",
      choices: ["ask", "all", "none"],
      help: "Who answers when a tool asks for approval: ask (you, on this terminal), all (yes to every call), none (no). Default: ask on a terminal, else none.",
    },
  ],
  notes: [
    'A line may answer for itself: "approval": "approve", "deny" or "ignore" (nobody answers, and the approval expires). An explicit --approve none overrules "approve". "cancelAfterMs" cancels the call after so many milliseconds.',
    "A line that is no call gets its result too (invalid_call). Ctrl-C cancels what runs and prints what there is; a second Ctrl-C ends at once.",
    "MODULE may also export `policy` (a function, or an array of them) and `limits`. Ready-made tools read files below the current folder only, and ask before they run a command.",
  ],
  examples: [
    ["callchart run calls.jsonl", "Outcomes as they come, then a table."],
    [
      "callchart run calls.jsonl --tools ./tools.ts --record run.jsonl",
      "With your own tools, recorded.",
    ],
    ["callchart run - --json --strict < calls.jsonl", "For programs and CI."],
  ],
  exitCodes: [
    [0, "Every call got its result, also a failed one."],
    [1, "With --strict: a call failed."],
    UNUSABLE,
    [130, "Interrupted by Ctrl-C, or told to end (SIGTERM, SIGHUP)."],
  ],
};

const TOOLS_COMMAND: CommandSpec = {
  name: "tools",
  summary: "List the registered tools with their schemas.",
  operands: [],
  options: [TOOLS, { name: "json", help: "Print {tools: […]} as MCP's tools/list does." }],
  examples: [
    ["callchart tools", "The ready-made tools."],
    ["callchart tools --tools ./tools.ts --json", "Your own, for programs."],
  ],
  exitCodes: [[0, "Listed."], UNUSABLE],
};

const RECORDING = {
  name: "RECORDING",
  required: true,
  help: "A file that callchart run --record wrote.",
} as const;

const EXPLAIN: CommandSpec = {
  name: "explain",
  summary: "Tell in words why recorded calls went where they went.",
  operands: [
    RECORDING,
    { name: "callId", required: false, help: "Only this call (its id or execution id)." },
  ],
  options: [],
  examples: [
    ["callchart explain run.jsonl", "Every call."],
    ["callchart explain run.jsonl call_7", "One call."],
  ],
  exitCodes: [[0, "Told."], UNUSABLE],
};

const CHECK: CommandSpec = {
  name: "check",
  summary: "Validate calls against tools without executing anything.",
  operands: [],
  options: [
    {
      name: "tools",
      value: "TOOLS.json",
      required: true,
      help: "A list of tools: an array (or one a line) of {name, inputSchema | parameters | parameters_jsonschema}, the answer to MCP's tools/list, or OpenAI's tools.",
    },
    {
      name: "calls",
      value: "CALLS.jsonl",
      required: true,
      help: "The calls, as for callchart run. - is standard input.",
    },
    {
      name: "json",
      help: "Print {id, tool, valid, arguments, failure?, resolved?, repairs?}, one call a line, in order.",
    },
    REPAIR,
    { name: "strict", help: "Exit with 1 if any call is invalid." },
  ],
  examples: [
    ["callchart check --tools tools.json --calls calls.jsonl", "For people."],
    ["callchart check --tools tools.json --calls - --json", "For programs."],
  ],
  exitCodes: [[0, "Every call was judged."], [1, "With --strict: a call is invalid."], UNUSABLE],
};

const VIEW: CommandSpec = {
  name: "view",
  summary: "Write a recording as one self-contained web page.",
  operands: [RECORDING],
  options: [
    {
      name: "out",
      value: "FILE",
      help: "Where to write the page; - is standard output. Default: the recording's name with .html.",
    },
  ],
  examples: [["callchart view run.jsonl --out page.html", "A page that opens from the disk."]],
  exitCodes: [[0, "Written."], UNUSABLE],
};

const CHART: CommandSpec = {
  name: "chart",
  summary: "Print the chart that every call goes through.",
  operands: [],
  options: [{ name: "mermaid", help: "As a Mermaid state diagram. The only format so far." }],
  examples: [["callchart chart --mermaid > chart.mmd", "For Mermaid, GitHub and others."]],
  exitCodes: [[0, "Printed."], UNUSABLE],
};

/** Every command's {@link CommandSpec} by its name, in the order of the help. */
export const SPECS: ReadonlyMap<string, CommandSpec> = new Map(
  [RUN, TOOLS_COMMAND, CHECK, EXPLAIN, VIEW, CHART].map((spec) => [spec.name, spec]),
);
