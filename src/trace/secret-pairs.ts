import { REDACTED } from "./secret-texts.ts";

/** Parts of names of secrets, as {@link hidePairs} looks for them in texts. */
const STEMS =
  "pass(?:word|wd|phrase|code)|pwd|secret|credential|authorization|token|cookie|jwt|otp|cvv|cvc|" +
  "(?:api|private|access|account|master|signing|encryption|ssh|license)[ _.-]?key|[_.-]pass(?![a-z])";

/** How far a name may reach on either side of its stem. */
const NAME_CHARS = 80;
const NAME_CHAR = /[\w$.-]/;

const SEPARATOR = "\\s{0,8}(?:=>|[:=])\\s{0,8}";
const SCHEME = "(?:(?:Bearer|Basic|Token|Digest|ApiKey)\\s{1,4})?";

/** A value in quotes, which may be escaped: JSON, JSON within JSON, code. The closing one may be cut off. */
const QUOTED =
  "(?<quote>\\\\{0,4}[\"'])(?<quoted>(?:(?!\\k<quote>)(?:\\\\.|[^\\\\\\r\\n]|\\\\$)){0,8192})\\k<quote>?";

/** `"name": value`. A bare value is a number or the like there, and ends where JSON goes on. */
const QUOTED_NAME_VALUE = new RegExp(
  `(?<sep>\\\\{0,4}["']${SEPARATOR})(?:${QUOTED}|(?<bare>${SCHEME}[^\\s"'&,;<>(){}[\\]\\\\]{1,8192}))`,
  "y",
);

/** `name=value` and `name: value`, in forms, shells, headers. Brackets may be part of the value. */
const NAME_VALUE = new RegExp(
  `(?<sep>${SEPARATOR})(?:${QUOTED}|(?<bare>${SCHEME}[^\\s"'&,;\\\\]{1,8192}))`,
  "y",
);

/** `value` behind a flag: `--password value`. */
const FLAG_VALUE = /(?<sep>\s{1,4})(?<bare>[^\s"'-][^\s"']{0,8191})/y;

/** Headers whose value is the whole rest of the line. */
const LINE_VALUE = /(?<sep>\s{0,8}:\s{0,8})(?<bare>[^\r\n"'\\]{1,8192})/y;
const LINE_NAME = /(?:cookie|authorization)$/i;

/** One of these stands between a name and its value; looking for them first is quick. */
const SIGNS = [":", "=", "--"] as const;

const LITERAL = /^(?:true|false|null|undefined|none|no|yes)$/i;

/** Finds names of secrets and what they are set to in texts. */
export interface PairHider {
  /** May this text name a secret at all? */
  readonly mayName: (text: string) => boolean;
  /** The text with the values of secrets hidden. */
  readonly hide: (text: string) => string;
}

/** Hides what stands behind the names of secrets. `extra` are further names, folded; `isSecret` judges each name found. */
export function createPairHider(
  isSecret: (name: string) => boolean,
  extra: readonly string[],
): PairHider {
  const stems = [STEMS, ...extra.map(toStem)].join("|");
  const one = new RegExp(stems, "iu");
  return {
    mayName: (text) => SIGNS.some((sign) => text.includes(sign)) && one.test(text),
    hide: (text) => hidePairs(text, new RegExp(stems, "giu"), isSecret),
  };
}

/** A folded name, with any separators between its letters. */
function toStem(folded: string): string {
  return Array.from(folded, (letter) => letter).join("[ _.\\-]?");
}

function hidePairs(text: string, stems: RegExp, isSecret: (name: string) => boolean): string {
  let hidden = "";
  let done = 0;
  for (let stem = stems.exec(text); stem !== null; stem = stems.exec(text)) {
    const start = reach(text, stem.index, -1);
    const end = reach(text, stem.index + stem[0].length - 1, 1) + 1;
    stems.lastIndex = Math.max(end, stems.lastIndex);
    const found = isSecret(text.slice(start, end)) ? findValue(text, start, end) : undefined;
    if (found === undefined) continue;
    hidden += text.slice(done, found.from) + found.mark;
    done = found.to;
    stems.lastIndex = Math.max(done, stems.lastIndex);
  }
  return hidden + text.slice(done);
}

/** The last index of the name in this direction, from an index that is within it. */
function reach(text: string, from: number, step: 1 | -1): number {
  let at = from;
  while (Math.abs(at + step - from) <= NAME_CHARS && NAME_CHAR.test(text.charAt(at + step)))
    at += step;
  return at;
}

interface Found {
  readonly from: number;
  readonly to: number;
  readonly mark: string;
}

function findValue(text: string, start: number, end: number): Found | undefined {
  const name = text.slice(start, end);
  const groups =
    (LINE_NAME.test(name) ? match(LINE_VALUE, text, end) : undefined) ??
    match(QUOTED_NAME_VALUE, text, end) ??
    match(NAME_VALUE, text, end) ??
    (name.startsWith("--") ? match(FLAG_VALUE, text, end) : undefined);
  if (groups === undefined) return undefined;
  const { sep = "", quote = "", quoted, bare = "" } = groups;
  const from = end + sep.length;
  return quoted === undefined ? findBare(from, sep, bare) : findQuoted(text, from, quote, quoted);
}

function findQuoted(text: string, from: number, quote: string, quoted: string): Found | undefined {
  if (quoted === "") return undefined;
  const end = from + quote.length + quoted.length;
  const closing = text.startsWith(quote, end) ? quote : "";
  return { from, to: end + closing.length, mark: `${quote}${REDACTED}${closing}` };
}

function findBare(from: number, sep: string, bare: string): Found | undefined {
  const value = withoutForeignBrackets(bare);
  if (value === "" || LITERAL.test(value)) return undefined;
  // Behind a quoted name, as in JSON, a bare value is a number; the text should stay JSON.
  const around = /^\\{0,4}["']/.exec(sep)?.[0] ?? "";
  return { from, to: from + value.length, mark: `${around}${REDACTED}${around}` };
}

const OPENERS: ReadonlyMap<string, string> = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
  [">", "<"],
]);

/** Closing brackets at the end that were opened before the value belong to what is around it: `f(password=x)`. */
function withoutForeignBrackets(bare: string): string {
  const counts = new Map<string, number>();
  for (const char of bare) counts.set(char, (counts.get(char) ?? 0) + 1);
  let end = bare.length;
  for (; end > 0; end -= 1) {
    const closer = bare.charAt(end - 1);
    const opener = OPENERS.get(closer);
    const closed = counts.get(closer) ?? 0;
    if (opener === undefined || closed <= (counts.get(opener) ?? 0)) break;
    counts.set(closer, closed - 1);
  }
  return bare.slice(0, end);
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray["groups"] | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.groups;
}
