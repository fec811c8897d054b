import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { isAbsolute, resolve, sep } from "node:path";
import { ToolError } from "../../src/tool.ts";

/**
 * Opens a regular file below `root` for reading, whatever links lie on the way, and verifies that it lies there.
 *
 * The path is resolved (`realpath`), checked, opened without following a last link and without waiting for a FIFO's
 * writer, and checked again by what was opened: on Linux by the descriptor's own path, elsewhere by resolving anew and
 * comparing device and inode. Node has no `openat2(RESOLVE_BENEATH)`, so somebody who may rename folders below `root` can
 * still make it OPEN (never read) a file elsewhere, which matters for devices that act on being opened; and off Linux they
 * may swap a folder twice in between. Hard links are files of `root` like any other: keep people who may make them out.
 *
 * No failure names a path outside of `root`, nor `root` itself; what lies outside and what is missing look the same.
 */
export async function openConfined(root: string, path: string): Promise<FileHandle> {
  const shown = JSON.stringify(path);
  refuseByName(path, shown);
  const realRoot = await realpath(root).catch((error: unknown) => {
    throw new ToolError("The folder of this tool cannot be read.", {
      code: codeOf(error),
      executed: "no",
    });
  });
  const real = await realpath(resolve(realRoot, path)).catch(() => undefined);
  if (real === undefined || !isBelow(realRoot, real)) throw missing(shown);
  const seen = await lstat(real).catch(() => undefined);
  if (seen === undefined) throw missing(shown);
  // Before it is opened: merely opening a device may do something.
  refuseKind(seen, shown);
  const file = await open(real, OPEN_FLAGS).catch((error: unknown) => {
    throw unreadable(error, shown);
  });
  try {
    refuseKind(await file.stat(), shown);
    if (!isBelow(realRoot, await pathOf(file, real))) throw missing(shown);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Windows has none but the first. Without waiting: a FIFO that nobody writes to would block a thread for good. */
const OPEN_FLAGS =
  constants.O_RDONLY |
  (constants.O_NONBLOCK ?? 0) |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NOCTTY ?? 0);

function refuseByName(path: string, shown: string): void {
  if (path.includes("\0")) {
    throw new ToolError("A path cannot contain the character U+0000.", {
      code: "invalid_path",
      executed: "no",
    });
  }
  // By name alone, so as to say it clearly; what counts is where the path really leads.
  const anywhere = resolve(sep, "root");
  if (isAbsolute(path) || !isBelow(anywhere, resolve(anywhere, path))) {
    throw new ToolError(
      `The path ${shown} leads out of the folder of this tool. Give a path relative to that folder, without "..", such as "docs/notes.txt".`,
      { code: "outside_root", executed: "no" },
    );
  }
}

/** The path of what was opened, as well as the system can tell. */
async function pathOf(file: FileHandle, real: string): Promise<string> {
  try {
    return await readlink(`/proc/self/fd/${file.fd}`);
  } catch {
    const again = await realpath(real);
    const [opened, named] = await Promise.all([
      file.stat({ bigint: true }),
      lstat(again, { bigint: true }),
    ]);
    return opened.dev === named.dev && opened.ino === named.ino ? again : "";
  }
}

function isBelow(realRoot: string, real: string): boolean {
  return real === realRoot || real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep);
}

interface Kind {
  readonly isFile: () => boolean;
  readonly isDirectory: () => boolean;
}

function refuseKind(kind: Kind, shown: string): void {
  if (kind.isFile()) return;
  const what = kind.isDirectory() ? "a folder" : "no regular file (a device, pipe or socket)";
  throw new ToolError(`${shown} is ${what}. Give the path of a regular file.`, {
    code: kind.isDirectory() ? "is_folder" : "not_a_file",
  });
}

function missing(shown: string): ToolError {
  return new ToolError(
    `There is no file ${shown} in the folder of this tool (a link that leads out of it counts as none).`,
    { code: "not_found" },
  );
}

function unreadable(error: unknown, shown: string): ToolError {
  const code = codeOf(error);
  // It was replaced by a link since, or removed.
  if (code === "ELOOP" || code === "ENOENT") return missing(shown);
  const retryable = code === "EMFILE" || code === "ENFILE";
  return new ToolError(`${shown} cannot be read (${code}).`, { code: "unreadable", retryable });
}

/** The system's code alone: its message holds the path. */
function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
