/** What stands on one side of an object and may be left out. */
export interface Side {
  /** The mark of a Markdown fence or code span, such as three backticks; `""`: there is none. */
  readonly fence: string;
  /** Words stand there too. */
  readonly hasWords: boolean;
}

/** A fence that is opened, with the name of a language, or a code span. */
const OPENING = /(?<![`~])(`|`{3,}|~{3,})[ \t]*([\w.+-]*)$/;
const LONGEST_OPENING = 100;

/**
 * May what stands before an object be left out? A fence, and words in which no other value can be: no bracket, no quote
 * beside the object, nothing that makes the object a part of something (an assignment, a call, the value of a key or of a
 * tag). `undefined`: it may not.
 */
export function readBefore(given: string): Side | undefined {
  const text = given.trim();
  const [opening = "", fence = "", language = ""] =
    OPENING.exec(text.slice(-LONGEST_OPENING)) ?? [];
  // In "call `write` {" the last one ends a span.
  const isSpan = fence === "`" && text.split("`").length % 2 === 0;
  if (isSpan && language !== "") return undefined;
  const isFence = isSpan || fence.length > 1;
  const words = isFence ? text.slice(0, -opening.length).trim() : text;
  if (words !== "" && !isProseBefore(words)) return undefined;
  return { fence: isFence ? fence : "", hasWords: words !== "" };
}

/** May what stands behind an object be left out, after such a fence? `undefined`: it may not. */
export function readAfter(given: string, { fence }: Side): Side | undefined {
  const text = given.trim();
  const [closing = ""] = /^(?:`+|~+)/.exec(text) ?? [];
  const isClosed = fence === "`" ? closing === "`" : closing === "" || closing.length > 2;
  const words = text.slice(closing.length).trim();
  if (!isClosed || (words !== "" && !isProseAfter(words))) return undefined;
  return { fence: closing, hasWords: words !== "" };
}

/** A second value, or a part of one: a bracket, an assignment, a key in quotes, another fence. */
const PART = /[[\]{}=]|["'\u201d\u2019]\s*:|```|~~~/;
/** A line such as `path: x`, of YAML. */
const KEY_LINE = /^[ \t>*-]*[\p{Ll}_][\p{L}\p{N}_-]*[ \t]*:/mu;
/** A value that is nothing but a word. */
const LITERAL = /^[^\p{L}]*(?:true|false|null|none|undefined|nan|nil)[^\p{L}]*$/iu;

function isProse(text: string): boolean {
  const isBalanced = text.split("(").length === text.split(")").length;
  return /\p{L}/u.test(text) && isBalanced && !PART.test(text) && !LITERAL.test(text);
}

/** One word and a colon, which may be a key; unless it is one that models put before arguments. */
const LABEL = /^[ \t>*-]*[\p{L}\p{N}_-]+[ \t*]*:[ \t*]*$/u;
const LONGEST_LABEL = 100;
const ARGUMENTS_LABEL =
  /^[^\p{L}]*(?:arguments|args|parameters|params|input|json|here|sure|ok|okay)[^\p{L}]*$/iu;
/** Tags that hold arguments; any other tag may hold the value of one of them. */
const HOLDER =
  /<(?:\/[^<>]*|\|[^<>|]*\||(?:tool_?call|tool_?use|function_?call|arguments|args|parameters|params|input|json)\s*)>$/iu;

function isProseBefore(text: string): boolean {
  const lastLine = text.slice(text.lastIndexOf("\n") + 1);
  const isLabel = lastLine.length <= LONGEST_LABEL && LABEL.test(lastLine);
  if (isLabel && !ARGUMENTS_LABEL.test(lastLine)) return false;
  if (text.endsWith(">") && !HOLDER.test(text)) return false;
  const others = isLabel ? text.slice(0, -lastLine.length) : text;
  return isProse(text) && !KEY_LINE.test(others) && !/[,"'\u201c\u201d\u2018\u2019+\\]$/.test(text);
}

function isProseAfter(text: string): boolean {
  return isProse(text) && !KEY_LINE.test(text) && !/^[,:;"'\u201c\u201d\u2018\u2019+\\]/.test(text);
}
