import { readRecording } from "../trace/index.ts";
import { UnusableError, unusableOnThrow } from "./exit.ts";
import { type Io, warn } from "./io.ts";
import { toOneLine } from "./printable.ts";
import { readText } from "./read-lines.ts";

/** Reads a recording; what is wrong with single lines is a warning. Throws `UnusableError` when it holds no call. */
export async function loadRecording(
  file: string,
  io: Io,
): Promise<ReturnType<typeof readRecording>> {
  const text = await readText(file, io);
  const recording = unusableOnThrow(toOneLine(file), () => readRecording(text));
  if (recording.records.length === 0) {
    const [why = "it holds no call"] = recording.problems;
    throw new UnusableError(`${toOneLine(file)}: ${toOneLine(why)}`);
  }
  for (const problem of recording.problems) await warn(io, `${file}: ${problem}`);
  return recording;
}
