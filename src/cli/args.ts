import { parseArgs } from "node:util";
import type { CommandSpec, OptionSpec, ParsedArgs } from "./command.ts";
import { UnusableError } from "./exit.ts";
import { didYouMean } from "./nearest.ts";
import { toPrintable } from "./printable.ts";

/** Asks for the help of a command; every command has it. */
export const HELP: OptionSpec = { name: "help", help: "Show this help." };

/**
 * Reads the words after a command's name. Throws {@link UnusableError} for unknown, repeated, missing or wrong flags
 * and operands, naming the nearest right one. When `--help` is among them, nothing else is checked.
 */
export function parseCommandLine(spec: CommandSpec, words: readonly string[]): ParsedArgs {
  const options = new Map([...spec.options, HELP].map((option) => [option.name, option]));
  const values = new Map<string, string>();
  const operands: string[] = [];
  for (const token of tokenize(options, words)) {
    if (token.kind === "positional") operands.push(token.value);
    if (token.kind !== "option") continue;
    const option = options.get(token.name === "h" ? "help" : token.name);
    if (option === undefined) throw unknownFlag(token.rawName, options);
    if (values.has(option.name)) throw new UnusableError(`--${option.name} is given twice`);
    values.set(option.name, readValue(option, token));
  }
  if (!values.has(HELP.name)) checkComplete(spec, values, operands);
  return {
    operands,
    has: (name) => values.has(name),
    get: (name) => values.get(name),
    number: (name) => (values.has(name) ? Number(values.get(name)) : undefined),
  };
}

function tokenize(
  options: ReadonlyMap<string, OptionSpec>,
  words: readonly string[],
): ReturnType<typeof parseTokens> {
  const config = Object.fromEntries(
    [...options.values()].map((option) => [
      option.name,
      { type: option.value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  return parseTokens(words, config);
}

function parseTokens(
  words: readonly string[],
  options: { [name: string]: { type: "string" | "boolean" } },
) {
  return parseArgs({
    args: [...words],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens;
}

interface OptionToken {
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function readValue(option: OptionSpec, token: OptionToken): string {
  const flag = `--${option.name}`;
  if (option.value === undefined) {
    if (token.value !== undefined) throw new UnusableError(`${flag} takes no value`);
    return "";
  }
  const { value } = token;
  if (value === undefined || value === "" || (!token.inlineValue && /^-./.test(value))) {
    throw new UnusableError(`${flag} needs a value: ${flag} ${option.value}`);
  }
  checkValue(option, value);
  return value;
}

function checkValue(option: OptionSpec, value: string): void {
  const shown = toPrintable(value);
  if (option.choices !== undefined && !option.choices.includes(value)) {
    const choices = option.choices.join(", ");
    throw new UnusableError(
      `--${option.name} is one of ${choices}, not ${shown}${didYouMean(value, option.choices)}`,
    );
  }
  if (option.wholeUpTo === undefined) return;
  if (!/^[0-9]+$/.test(value) || Number(value) < 1 || Number(value) > option.wholeUpTo) {
    throw new UnusableError(
      `--${option.name} is a whole number from 1 to ${option.wholeUpTo}, not ${shown}`,
    );
  }
}

function unknownFlag(rawName: string, options: ReadonlyMap<string, OptionSpec>): UnusableError {
  const known = [...options.keys()].map((name) => `--${name}`);
  return new UnusableError(`unknown flag ${toPrintable(rawName)}${didYouMean(rawName, known)}`);
}

function checkComplete(
  spec: CommandSpec,
  values: ReadonlyMap<string, string>,
  operands: readonly string[],
): void {
  const missing = spec.operands.find(
    (operand, index) => operand.required && index >= operands.length,
  );
  if (missing !== undefined) throw new UnusableError(`${missing.name} is missing`);
  const extra = operands[spec.operands.length];
  if (extra !== undefined) throw new UnusableError(`unexpected ${toPrintable(extra)}`);
  const absent = spec.options.find((option) => option.required && !values.has(option.name));
  if (absent !== undefined) {
    throw new UnusableError(`--${absent.name} ${absent.value ?? ""} is missing`.replace("  ", " "));
  }
}
