import type { Io } from "./io.ts";

/** One flag of a command. */
export interface OptionSpec {
  /** Without the dashes. */
  readonly name: string;
  /** What stands for the value in the help. Absent: a switch, which takes no value. */
  readonly value?: string;
  /** One sentence, with unit and default. */
  readonly help: string;
  /** The only values that it may have. */
  readonly choices?: readonly string[];
  /** The value is a whole number of at least 1 and at most this. */
  readonly wholeUpTo?: number;
  /** The command cannot do without it. */
  readonly required?: boolean;
}

/** What stands on a command line without dashes. */
export interface OperandSpec {
  readonly name: string;
  readonly help: string;
  readonly required: boolean;
}

/** All that help and parsing need to know of a command; it is data, so that showing help loads nothing else. */
export interface CommandSpec {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  readonly operands: readonly OperandSpec[];
  readonly options: readonly OptionSpec[];
  /** Paragraphs between options and examples. */
  readonly notes?: readonly string[];
  /** Command line and what it does. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  readonly exitCodes: readonly (readonly [code: number, meaning: string])[];
}

/** A command line that was understood. */
export interface ParsedArgs {
  readonly operands: readonly string[];
  readonly has: (option: string) => boolean;
  readonly get: (option: string) => string | undefined;
  readonly number: (option: string) => number | undefined;
}

/** Runs a command and resolves to the exit code. Throws `UnusableError` for input that cannot be used. */
export type RunCommand = (args: ParsedArgs, io: Io) => Promise<number>;
