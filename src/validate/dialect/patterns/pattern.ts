import { guardedTest } from "./guarded.ts";
import { linearTest } from "./re2.ts";
import { type Growth, growthOf } from "./risk.ts";
import { type Spelled, spell } from "./spelling.ts";

/** A regular expression that tests texts in a time that stays within bounds. */
export interface Pattern {
  /** @throws UncheckableError for the few patterns that only JavaScript's own engine can test, when it takes too long */
  readonly test: (text: string) => boolean;
  /** How it is read otherwise than it is written; `undefined`: it is not. */
  readonly change: string | undefined;
}

/** Steps that JavaScript's own engine may take at worst: RE2's takes about as long for a text for which it takes more. */
const MAX_STEPS = 200_000;
/** Patterns that are remembered. */
const MAX_KNOWN = 1_000;

const known = new Map<string, Pattern | { readonly reason: string }>();

/** Reads the `pattern` of a schema (see `spell`), once; or tells why it is none. */
export function readPattern(source: string): Pattern | { readonly reason: string } {
  const made = known.get(source) ?? makePattern(source);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(source, made);
  return made;
}

function makePattern(source: string): Pattern | { readonly reason: string } {
  const spelled = spell(source);
  if (spelled === undefined) return { reason: whyInvalid(source) };
  return { test: createTest(spelled), change: spelled.change };
}

function whyInvalid(source: string): string {
  try {
    new RegExp(source, "u");
    return "it means something else in JavaScript";
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

/** JavaScript's own engine where its time is bounded, RE2's algorithm where it is not. */
function createTest({ source, flags }: Spelled): (text: string) => boolean {
  // Most patterns are never used, and most texts are short: then RE2 is never loaded.
  const native = once(() => new RegExp(source, flags));
  const maxChars = once(() => maxCharsOf(growthOf(source)));
  const linear = once(() => ({ test: linearTest(source, flags) }));
  return (text) => {
    if (text.length <= maxChars()) return native().test(text);
    const { test } = linear();
    return test === undefined ? guardedTest(native(), text) : test(text);
  };
}

/** The length of a text from which on it may take more steps. */
function maxCharsOf({ power, base }: Growth): number {
  if (power <= 1) return Number.POSITIVE_INFINITY;
  return power === Number.POSITIVE_INFINITY
    ? Math.log(MAX_STEPS) / Math.log(base)
    : MAX_STEPS ** (1 / power);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
