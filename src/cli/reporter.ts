import wrapAnsi from "wrap-ansi";
import { type Io, write } from "./io.ts";
import { createTally, outcomeLine } from "./outcome.ts";
import { plural } from "./printable.ts";
import type { Progress } from "./progress.ts";
import { type ResultRow, resultsTable, toRow } from "./results-table.ts";
import type { FinishedCall } from "./run-calls.ts";

/** Tells what came of calls, in their order. */
export interface Reporter {
  readonly result: (finished: FinishedCall) => Promise<void>;
  /** After the last result. */
  readonly end: () => Promise<void>;
}

/** Rows that the table shows; further calls have their outcome lines only. */
const MAX_ROWS = 200;

/** For programs: one `ToolResult` a line on stdout. */
export function createJsonReporter({ stdout }: Io, progress: Progress): Reporter {
  return {
    result: ({ result }) => {
      const print = (): Promise<void> => write(stdout, `${JSON.stringify(result)}\n`);
      return stdout.isTerminal ? progress.aside(print) : print();
    },
    end: async () => {},
  };
}

/** For people: one outcome line a call, then a table and a count. */
export function createTextReporter(io: Io, progress: Progress): Reporter {
  const rows: ResultRow[] = [];
  const tally = createTally();
  let left = 0;
  return {
    result: async ({ line, result }) => {
      tally.add(result);
      if (rows.length < MAX_ROWS) rows.push(toRow(result));
      else left += 1;
      await progress.aside(() => write(io.stdout, `${outcomeLine(line.id, result, io.stdout)}\n`));
    },
    end: async () => {
      const more =
        left === 0 ? "" : `… and ${plural(left, "call")} more; --json and --record have them all\n`;
      const width = io.stdout.columns();
      const table = resultsTable(rows, width);
      await write(io.stdout, `\n${table}\n${more}${wrapAnsi(tally.toText(), width)}\n`);
    },
  };
}
