import { type Context, createContext, Script } from "node:vm";

/** Time that all texts of one value to be judged may take together, in ms. */
const MAX_MS = 100;

const script = new Script("pattern.test(text)");
let context: Context | undefined;
let leftMs = MAX_MS;

/** Begins with the next value to be judged. Judging is synchronous: there is only ever one. */
export function resetGuard(): void {
  leftMs = MAX_MS;
}

/** A text whose fit cannot be found out in a reasonable time. */
export class UncheckableError extends Error {
  override readonly name = "UncheckableError";
}

/** Tests a text by JavaScript's own engine. @throws UncheckableError when that takes more than what is left of 100 ms */
export function guardedTest(pattern: RegExp, text: string): boolean {
  context ??= createContext({});
  Object.assign(context, { pattern, text });
  const start = performance.now();
  try {
    return script.runInContext(context, { timeout: Math.max(1, Math.ceil(leftMs)) }) === true;
  } catch {
    throw new UncheckableError("it takes too long to compare this text with its pattern");
  } finally {
    leftMs -= performance.now() - start;
    Object.assign(context, { pattern: undefined, text: undefined });
  }
}
