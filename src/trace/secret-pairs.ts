import { REDACTED } from "./secret-texts.ts";

/** Parts of names of secrets, as {@link hidePairs} looks for them in texts. */
const STEMS =
  "pass(?:word|wd|phrase|code)|pwd|secret|credential|authorization|token|cookie|jwt|otp|cvv|cvc|" +
  "(?:api|private|access|account|master|signing|encryption|ssh|license)[ _.-]?key|[_.-]pass(?![a-z])";

/** How far a name may reach on either side of its stem. */
const NAME_CHARS = 80;
const NAME_CHAR = /[\w$.-]/;

/** `: value` behind a name, which may be quoted: in JSON, in JSON within JSON, in code, in forms, in shells. */
const VALUE =
  /(?<sep>\\{0,4}["']?\s{0,8}(?:=>|[:=])\s{0,8})(?:(?<quote>\\{0,4}["'])(?<quoted>(?:(?!\k<quote>)(?:\\.|[^\\\r\n]|\\$)){0,8192})\k<quote>?|(?<bare>(?:(?:Bearer|Basic|Token|Digest|ApiKey)\s{1,4})?[^\s"'&,;<>(){}[\]\\]{1,8192}))/y;

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
    match(VALUE, text, end) ??
    (name.startsWith("--") ? match(FLAG_VALUE, text, end) : undefined);
  if (groups === undefined) return undefined;
  const { sep = "", quote = "", quoted, bare = "" } = groups;
  const from = end + sep.length;
  if (quoted !== undefined) {
    const closed = text.startsWith(quote, from + quote.length + quoted.length);
    const to = from + quote.length + quoted.length + (closed ? quote.length : 0);
    return quoted === ""
      ? undefined
      : { from, to, mark: `${quote}${REDACTED}${closed ? quote : ""}` };
  }
  if (LITERAL.test(bare)) return undefined;
  // Behind a quoted name, as in JSON, a bare value is a number; the text should stay JSON.
  const around = /^\\{0,4}["']/.exec(sep)?.[0] ?? "";
  return { from, to: from + bare.length, mark: `${around}${REDACTED}${around}` };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray["groups"] | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.groups;
}
