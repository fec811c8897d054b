import type { ArgumentFault, ToolFailure } from "../../../machines/index.ts";
import { failureOf } from "../../../machines/index.ts";

/** Faults that one message tells; the rest is counted. */
const MAX_TOLD = 10;
const MAX_MESSAGE_CHARS = 4_000;
/** All names are told when there are no more than these. */
const MAX_NAMES = 20;
const MAX_NAMES_CHARS = 1_000;
const MAX_NAME_CHARS = 100;

/** The failure of a call whose arguments have faults: one message that tells them all, for a model to act on. */
export function invalidArguments(name: string, faults: readonly ArgumentFault[]): ToolFailure {
  const head = `The arguments of ${shown(name)} are not valid, so it was not run:`;
  const tail = "Correct this and call it again.";
  const lines: string[] = [];
  let left = MAX_MESSAGE_CHARS - head.length - tail.length - 40;
  for (const { message } of faults.slice(0, MAX_TOLD)) {
    left -= message.length + 3;
    // The first one is always told: it is bounded itself.
    if (left < 0 && lines.length > 0) break;
    lines.push(`- ${message}`);
  }
  const more = faults.length - lines.length;
  if (more > 0) lines.push(`- and ${more} more`);
  return failureOf("invalid_arguments", [head, ...lines, tail].join("\n"), { faults });
}

/** What may be told of the tools there are. */
export interface ToldNames {
  /** All names that the caller may know; `undefined`: none may be told. */
  readonly names: readonly string[] | undefined;
  /** Those of them that are near. */
  readonly nearest: readonly string[];
}

/** The failure of a call whose tool is not registered, or must not be known to the caller. */
export function unknownTool(name: string, { names, nearest }: ToldNames): ToolFailure {
  const guess = nearest.length === 0 ? "" : ` Did you mean ${nearest.map(shown).join(" or ")}?`;
  const known = names === undefined ? "" : namesIfFew(names);
  return failureOf("unknown_tool", `There is no tool ${shown(name)}.${guess}${known}`, { nearest });
}

/** The failure of a call whose tool could be any of some. */
export function ambiguousTool(name: string, names: readonly string[]): ToolFailure {
  const meant = names.slice(0, MAX_NAMES).map(shown).join(" or ");
  const message = `There is no tool ${shown(name)}, and it could mean ${meant}. Call it by its exact name.`;
  return failureOf("unknown_tool", message, { nearest: names.slice(0, MAX_NAMES) });
}

function namesIfFew(names: readonly string[]): string {
  if (names.length === 0) return " There are no tools.";
  const list = names.map(shown).join(", ");
  if (names.length > MAX_NAMES || list.length > MAX_NAMES_CHARS) return "";
  return names.length === 1 ? ` The only tool is ${list}.` : ` The tools are: ${list}.`;
}

function shown(name: string): string {
  return JSON.stringify(
    name.length <= MAX_NAME_CHARS + 28 ? name : `${name.slice(0, MAX_NAME_CHARS).toWellFormed()}…`,
  );
}
