import {
  type AnyTool,
  defineTool,
  type Tool,
  type ToolContext,
  type ToolSchema,
} from "../src/tool.ts";
import { type MockBehaviour, mockInputSchema } from "./mock/behaviour.ts";
import { observe } from "./mock/observe.ts";
import { perform } from "./mock/perform.ts";
import { type MockClock, type MockRun, type OpenRun, openRun } from "./mock/run.ts";

export { MOCK_KINDS, type MockBehaviour } from "./mock/behaviour.ts";
export { makeOddShape, ODD_SHAPES, type OddShape } from "./mock/odd-shapes.ts";
export type { MockClock, MockRun } from "./mock/run.ts";

/** How a mock tool differs from the plain one. Any field of a tool but `execute` can be given. */
export interface MockToolOptions extends Partial<Omit<AnyTool, "execute">> {
  /** What each run does, or a function that chooses. Wins over what a call asks for. Default: what the call asks for. */
  readonly behaviour?: MockBehaviour | ((args: unknown, context: ToolContext) => MockBehaviour);
  /** Default: the global timers, which are touched only by behaviours with a delay. */
  readonly clock?: MockClock;
}

type MockArguments = { readonly behaviour?: MockBehaviour } | undefined;

/** A tool that does as it is told, and the log of its runs. */
export interface MockTool extends Tool<ToolSchema, unknown> {
  /** Every run that began, in order. */
  readonly runs: readonly MockRun[];
  /** The newest run. @throws when there is none. */
  readonly lastRun: () => MockRun;
}

const globalTimers: MockClock = {
  setTimeout: (fn, ms) => setTimeout(fn, ms),
  clearTimeout(id: NodeJS.Timeout) {
    clearTimeout(id);
  },
};

/**
 * Makes the tool `mock`, with which the pipeline is tested: it returns, throws, hangs, ignores abort, floods, fails some
 * times first, and so on, as its options or the call's `behaviour` say (see {@link MockBehaviour}).
 *
 * With an `inputSchema` of another tool it stands in for that tool: it returns its arguments unless told otherwise, and a
 * `behaviour` among them means nothing.
 */
export function createMockTool(options: MockToolOptions = {}): MockTool {
  const { behaviour, clock = globalTimers, ...fields } = options;
  const runs: OpenRun[] = [];
  const stage = {
    clock,
    flakyRuns: () => runs.filter((run) => run.behaviour.kind === "flaky").length,
  };
  const choose = (args: MockArguments, context: ToolContext): MockBehaviour => {
    if (typeof behaviour === "function") return behaviour(args, context);
    return behaviour ?? (fields.inputSchema === undefined ? asked(args) : { kind: "return" });
  };
  const tool = defineTool<ToolSchema, unknown>({
    name: "mock",
    description:
      "Does as it is told, to test how tool calls end: it returns its arguments, or behaves as the behaviour argument says.",
    inputSchema: mockInputSchema,
    annotations: {
      title: "Mock",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    ...fields,
    execute(args: MockArguments, context) {
      const run = openRun(args, context, choose(args, context));
      runs.push(run);
      return observe(run, () => perform(run.behaviour, run, stage));
    },
  });
  return Object.assign(tool, {
    runs,
    lastRun() {
      const run = runs.at(-1);
      if (run === undefined) throw new Error("The mock tool has not been run.");
      return run;
    },
  });
}

/** The pipeline has checked it against the mock's own schema; a call without it returns its arguments. */
function asked(args: MockArguments): MockBehaviour {
  return args?.behaviour ?? { kind: "return" };
}
