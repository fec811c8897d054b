import { writeFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { renderPage } from "../../visualizer/index.ts";
import type { ParsedArgs } from "./command.ts";
import { EXIT, reasonOf, UnusableError } from "./exit.ts";
import { type Io, write } from "./io.ts";
import { plural, toOneLine } from "./printable.ts";
import { loadRecording } from "./recording.ts";

/** `callchart view`: a recording as one page that opens from the disk. */
export async function view(args: ParsedArgs, io: Io): Promise<number> {
  const [file = "-"] = args.operands;
  const recording = await loadRecording(file, io);
  const page = renderPage(recording, { title: basename(file) });
  const out = args.get("out") ?? defaultOut(file);
  if (out === "-") {
    await write(io.stdout, page);
    return EXIT.ok;
  }
  try {
    await writeFile(resolve(io.cwd, out), page);
  } catch (error) {
    throw new UnusableError(`cannot write ${toOneLine(out)}: ${reasonOf(error)}`);
  }
  await write(io.stdout, `page: ${toOneLine(out)} (${plural(recording.records.length, "call")})\n`);
  return EXIT.ok;
}

function defaultOut(file: string): string {
  return file === "-" ? "-" : `${file.replace(/\.[^./]*$/, "")}.html`;
}
