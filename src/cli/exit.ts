/** What the process of a command ends with. The help of each command lists those that it uses. */
export const EXIT = {
  /** Every call got its result, also a failed one. */
  ok: 0,
  /** With `--strict`: at least one call failed. */
  failed: 1,
  /** The command line or its input cannot be used; nothing more was done. */
  unusable: 2,
  /** Ctrl-C: running calls were cancelled and their results printed. */
  interrupted: 130,
  /** Nobody reads the output any more, as after `| head`. */
  brokenPipe: 141,
} as const;

/** The command line or an input file cannot be used: printed as one message, without a stack, with exit code 2. */
export class UnusableError extends Error {
  override readonly name = "UnusableError";
}

/** What a thrown value says, in one line; total. */
export function reasonOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error && thrown.message !== "") return thrown.message;
    return String(thrown);
  } catch {
    return "a value that cannot be shown was thrown";
  }
}

/** What `make` makes; its complaint about what a user wrote becomes an {@link UnusableError} about `source`. */
export function unusableOnThrow<T>(source: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new UnusableError(`${source}: ${reasonOf(error)}`);
  }
}
