import type { Json, TraceRecord } from "../../machines/index.ts";

/** What is hidden besides the built-in rules. */
export interface RedactOptions {
  /** Further names of keys whose values are hidden, whatever their case and separators. */
  readonly keys?: readonly string[];
  /** Secrets themselves: hidden wherever they stand in a text. Shorter ones than 4 characters are refused. */
  readonly values?: readonly string[];
}

/** What stands in the place of a secret. */
export const REDACTED = "[redacted]";

/** Ends of folded key names that hold secrets. `token` alone does, `max_tokens` and `token_count` do not. */
const SECRET_KEY =
  /(?:password|passwd|passphrase|secret|secretkey|apikey|accesskey|accesstoken|refreshtoken|authtoken|sessiontoken|idtoken|bearertoken|privatekey|clientsecret|credentials?|authorization|cookie|setcookie|token|jwt|otp|pin)$/;
const NEVER_SECRET = /(?:^|max|min|num|total|next|page|stop|prompt|completion)(?:pagetoken|stoptoken)$/;

/** Shapes of secrets in texts. Each is linear to match. */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, REDACTED],
  [/\b(Bearer|Basic)\s+[\w+/=.~-]{8,}/gi, `$1 ${REDACTED}`],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, REDACTED],
  [/\b(?:sk|pk|rk)-[\w-]{16,}/g, REDACTED],
  [/\bsk_(?:live|test)_\w{16,}/g, REDACTED],
  [/\bgh[pousr]_\w{20,}/g, REDACTED],
  [/\bgithub_pat_\w{20,}/g, REDACTED],
  [/\bxox[abprs]-[\w-]{10,}/g, REDACTED],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, REDACTED],
  [/\bAIza[\w-]{35}/g, REDACTED],
  [/(\w:\/\/[^\s/:@]{0,256}):[^\s/@]{1,256}@/g, `$1:${REDACTED}@`],
  [
    /(["']?(?:password|passwd|secret|api[_-]?key|access[_-]?token|client[_-]?secret|authorization)["']?\s*[:=]\s*)(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s,;}"']+)/gi,
    `$1${REDACTED}`,
  ],
];

/** The part of every secret shape above that a text must contain before it is searched. */
const SUSPICIOUS =
  /PRIVATE KEY|bearer|basic|eyJ|[spr]k[-_]|gh[pousr]_|github_pat|xox|AKIA|ASIA|AIza|:\/\/|passw|secret|api[_-]?key|token|authorization/i;

/** A copy of a record with every secret hidden: what sinks get. Total. */
export function redactRecord<R extends TraceRecord>(record: R, options: RedactOptions = {}): R {
  const redactor = createRedactor(options);
  // Records are plain JSON throughout, and hiding texts does not change their shape.
  return redactor(record as unknown as Json) as unknown as R;
}

/** Hides secrets in plain data. */
export function createRedactor({ keys = [], values = [] }: RedactOptions): (data: Json) => Json {
  const named = new Set(keys.map(fold));
  const secrets = values.filter((value) => value.length >= 4).toSorted((a, b) => b.length - a.length);
  const hideText = (text: string): string => {
    let hidden = text;
    for (const secret of secrets) hidden = hidden.replaceAll(secret, REDACTED);
    if (!SUSPICIOUS.test(hidden)) return hidden;
    for (const [pattern, mark] of SECRET_TEXTS) hidden = hidden.replace(pattern, mark);
    return hidden;
  };
  const isSecret = (key: string): boolean => {
    const folded = fold(key);
    return named.has(folded) || (SECRET_KEY.test(folded) && !NEVER_SECRET.test(folded));
  };
  const hide = (data: Json): Json => {
    if (typeof data === "string") return hideText(data);
    if (typeof data !== "object" || data === null) return data;
    if (isList(data)) return data.map(hide);
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [
        key,
        isSecret(key) && isPrimitive(value) ? REDACTED : isSecret(key) ? hideAll(value) : hide(value),
      ]),
    );
  };
  return hide;
}

/** Everything below a secret key is secret. */
function hideAll(data: Json): Json {
  if (isPrimitive(data)) return data === null ? null : REDACTED;
  if (isList(data)) return data.map(hideAll);
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, hideAll(value)]));
}

function isPrimitive(data: Json): data is null | boolean | number | string {
  return typeof data !== "object" || data === null;
}

function isList(data: Json): data is readonly Json[] {
  return Array.isArray(data);
}

function fold(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
