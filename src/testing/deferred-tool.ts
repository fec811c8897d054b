import { defineTool, type Tool, type ToolContext, type ToolSchema } from "../tool.ts";

/** One run of a deferred tool: the test decides when and how it ends. */
export interface DeferredRun {
  readonly arguments: unknown;
  readonly context: ToolContext;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A tool that ends when the test says so. */
export interface DeferredTool {
  readonly tool: Tool<ToolSchema, unknown>;
  /** Every run that began, in order. */
  readonly runs: readonly DeferredRun[];
  /** The newest run. @throws when the tool has not been run. */
  readonly last: () => DeferredRun;
}

/** How a deferred tool differs from a plain one. */
export interface DeferredToolOptions extends Partial<Omit<Tool<ToolSchema>, "execute">> {
  /** It ignores its signal, as bad tools do. Default false: it rejects as soon as it is told to stop. */
  readonly deaf?: boolean;
}

/** Makes a tool (named `deferred` unless told otherwise, of any arguments) whose runs the test settles by hand. */
export function createDeferredTool(options: DeferredToolOptions = {}): DeferredTool {
  const { deaf = false, ...tool } = options;
  const runs: DeferredRun[] = [];
  return {
    runs,
    last() {
      const run = runs.at(-1);
      if (run === undefined) throw new Error("The deferred tool has not been run.");
      return run;
    },
    tool: defineTool<ToolSchema, unknown>({
      name: "deferred",
      description: "Ends when the test says so.",
      inputSchema: { type: "object" },
      ...tool,
      execute: (args, context) =>
        new Promise<unknown>((resolve, reject) => {
          runs.push({ arguments: args, context, resolve, reject });
          if (deaf) return;
          const { signal } = context;
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        }),
    }),
  };
}
