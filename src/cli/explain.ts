import type { CallRecord } from "../../machines/contract.ts";
import { explain } from "../trace/index.ts";
import type { ParsedArgs } from "./command.ts";
import { EXIT, UnusableError } from "./exit.ts";
import { type Io, write } from "./io.ts";
import { nearest } from "./nearest.ts";
import { toOneLine, toPrintable } from "./printable.ts";
import { loadRecording } from "./recording.ts";

/** `callchart explain`: the path of recorded calls in words. */
export async function explainRecording(args: ParsedArgs, io: Io): Promise<number> {
  const [file = "-", wanted] = args.operands;
  const { records } = await loadRecording(file, io);
  const chosen = wanted === undefined ? records : choose(records, wanted);
  for (const record of chosen) await write(io.stdout, `${tell(record)}\n\n`);
  return EXIT.ok;
}

function tell(record: CallRecord): string {
  return explain(record).split("\n").map(toPrintable).join("\n");
}

function choose(records: readonly CallRecord[], wanted: string): readonly CallRecord[] {
  const found = records.filter(
    ({ call, executionId }) => call.id === wanted || executionId === wanted,
  );
  if (found.length > 0) return found;
  const ids = records.flatMap(({ call, executionId }) => [call.id, executionId]);
  const near = nearest(wanted, ids, 3).map(toOneLine);
  const some = records.slice(0, 5).map(({ call }) => toOneLine(call.id));
  throw new UnusableError(
    `no call ${toOneLine(wanted)} in the recording; ${
      near.length > 0
        ? `near: ${near.join(", ")}`
        : `there are: ${some.join(", ")}${records.length > 5 ? ", …" : ""}`
    }`,
  );
}
