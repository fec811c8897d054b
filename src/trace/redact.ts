import type { Json, JsonObject, TraceRecord } from "../../machines/index.ts";
import { fold, isSecretKey } from "./secret-keys.ts";
import { createPairHider } from "./secret-pairs.ts";
import { hideShapes, REDACTED } from "./secret-texts.ts";

/** What is hidden besides the built-in rules. */
export interface RedactOptions {
  /** Further names of keys whose values are hidden, whatever their case and separators. */
  readonly keys?: readonly string[];
  /** Secrets themselves, of at least 4 characters: hidden wherever they stand in a text or key. */
  readonly values?: readonly string[];
}

/** Hides secrets in plain data: gives a copy. Total; what it cannot look through, it hides whole. */
export type Redactor = <T extends Json | TraceRecord>(data: T) => T;

/** Deeper data than records hold is hidden rather than looked through. */
const MAX_DEPTH = 200;
const MIN_SECRET_CHARS = 4;
const MAX_PASSES = 8;
const MAX_REMEMBERED_KEYS = 5_000;
const MAX_REMEMBERED_CHARS = 100;

/** A copy of a record with every secret hidden. For many records, make one {@link createRedactor}. */
export function redactRecord<R extends TraceRecord>(record: R, options: RedactOptions = {}): R {
  return createRedactor(options)(record);
}

/**
 * Makes what hides secrets: by the names of keys, by their looks, and those that are given, each replaced by `[redacted]`.
 * Texts are searched as well: JSON text, `name=value`, headers, URLs. Booleans, `null` and empty texts stay as they are.
 *
 * @throws TypeError when a given key or value is none
 */
export function createRedactor(options: RedactOptions = {}): Redactor {
  const extra = toKeys(options.keys);
  const judge = createKeyJudge(extra);
  const isSecret = remember(judge);
  const hideGiven = createGivenHider(options.values);
  const pairs = createPairHider(isSecret, extra);

  const search = (text: string): string => {
    const hidden = hideShapes(hideGiven(text));
    return pairs.mayName(hidden) ? hideNested(pairs.hide(hidden), hide) : hidden;
  };
  const hideText = (text: string): string => {
    try {
      return untilStable(text, search);
    } catch {
      // A text that the search gives up on may hold anything.
      return REDACTED;
    }
  };
  const hideKey = remember(hideText);
  const hide: Hide = (data, depth, within) => {
    if (typeof data !== "object" || data === null) return within ? hideLeaf(data) : tidy(data);
    if (depth >= MAX_DEPTH) return REDACTED;
    const paired = within ? undefined : pairedWith(data);
    const isPair = paired !== undefined && judge(paired);
    if (isList(data))
      return data.map((item, at) => hide(item, depth + 1, within || (isPair && at === 1)));
    const hideField = (key: string, value: Json): Json =>
      hide(value, depth + 1, within || (isPair && key === "value") || isSecret(key));
    return hideFields(data, hideField, hideKey);
  };
  const tidy = (leaf: Leaf): Leaf => (typeof leaf === "string" ? hideText(leaf) : leaf);
  // Records are plain JSON throughout, and hiding texts does not change their shape.
  return <T extends Json | TraceRecord>(data: T): T => hide(data as Json, 0, false) as T;
}

/** What is hidden may uncover what stood in its shadow: `Bearer Bearer x`. A text that never comes to rest is hidden whole. */
function untilStable(text: string, search: (text: string) => string): string {
  let before = text;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const hidden = search(before);
    if (hidden === before) return hidden;
    before = hidden;
  }
  return REDACTED;
}

/** `within`: below the name of a secret, where everything is secret. */
type Hide = (data: Json, depth: number, within: boolean) => Json;
type Leaf = null | boolean | number | string;

/** What tells nothing stays: that a secret is missing, or whether there is one. */
function hideLeaf(leaf: Leaf): Leaf {
  return typeof leaf === "number" || (typeof leaf === "string" && leaf !== "") ? REDACTED : leaf;
}

/** The name in `[name, value]` and `{ name | key, value }`, as headers and environments are listed. */
function pairedWith(data: readonly Json[] | JsonObject): string | undefined {
  const name = isList(data)
    ? data.length === 2 && typeof data[1] === "string" && data[0]
    : "value" in data && (data["name"] ?? data["key"]);
  return typeof name === "string" ? name : undefined;
}

function hideFields(
  data: JsonObject,
  hideField: (key: string, value: Json) => Json,
  hideKey: (key: string) => string,
): JsonObject {
  const hidden: Record<string, Json> = {};
  for (const key of Object.keys(data)) {
    const value = hideField(key, data[key] ?? null);
    if (key === "__proto__") {
      const field = { value, enumerable: true, configurable: true, writable: true };
      Object.defineProperty(hidden, key, field);
    } else {
      hidden[hideKey(key)] = value;
    }
  }
  return hidden;
}

/** A text may be JSON in which a secret's name holds a list or an object: what is below it is secret. */
function hideNested(text: string, hide: Hide): string {
  if (!/^\s*[[{]/.test(text)) return text;
  const parsed = parse(text);
  if (parsed === undefined) return text;
  const hidden = JSON.stringify(hide(parsed, 1, false));
  return hidden === JSON.stringify(parsed) ? text : hidden;
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function createKeyJudge(extra: readonly string[]): (key: string) => boolean {
  const named = new Set(extra);
  return (key) => isSecretKey(key) || (named.size > 0 && named.has(fold(key)));
}

/** The same few keys come again and again, and judging one takes longer than looking it up. */
function remember<T extends boolean | string>(judge: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const verdict = judge(key);
    if (key.length <= MAX_REMEMBERED_CHARS && known.size < MAX_REMEMBERED_KEYS)
      known.set(key, verdict);
    return verdict;
  };
}

/** Secrets as they are, and as they stand in JSON text; the longest first, since one may be part of another. */
function createGivenHider(values: readonly string[] = []): (text: string) => string {
  const forms = values.flatMap((value) => {
    if (typeof value !== "string" || value.length < MIN_SECRET_CHARS) {
      throw new TypeError(
        `redact.values must be texts of at least ${MIN_SECRET_CHARS} characters: shorter ones stand everywhere.`,
      );
    }
    return [value, JSON.stringify(value).slice(1, -1)];
  });
  const secrets = [...new Set(forms)].toSorted((a, b) => b.length - a.length);
  return (text) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, REDACTED), text);
}

function toKeys(keys: readonly string[] = []): readonly string[] {
  return keys.map((key) => {
    const folded = typeof key === "string" ? fold(key) : "";
    if (folded !== "") return folded;
    throw new TypeError(
      `redact.keys must be names of keys, with a letter or digit in them, not ${JSON.stringify(key)}.`,
    );
  });
}

function isList(data: Json): data is readonly Json[] {
  return Array.isArray(data);
}
