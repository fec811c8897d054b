/** A piece of a regular expression. */
export interface Token {
  readonly kind:
    | "anchor"
    | "char"
    | "class"
    | "close"
    | "dot"
    | "escape"
    | "open"
    | "or"
    | "quantifier";
  readonly text: string;
}

/** One piece each, tried in turn. Python's and PCRE's spellings are among them. */
const PIECES: readonly (readonly [Token["kind"], RegExp])[] = [
  [
    "escape",
    /\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[a-zA-Z]|[pP]\{[^}]*\}|k<[^>]*>|\d+|[\s\S])/y,
  ],
  ["class", /\[\^?(?:\\[\s\S]|\[:\^?[a-z]+:\]|[^\]\\])*\]/y],
  [
    "open",
    /\((?:\?(?:<?[=!]|:|>|<[^=!][^>]*>|P<[^>]*>|P=[^)]*(?=\))|#[^)]*(?=\))|[a-zA-Z]*(?:-[a-zA-Z]+)?(?::|(?=\)))))?/y,
  ],
  ["close", /\)/y],
  ["or", /\|/y],
  ["quantifier", /(?:[*+?]|\{\d+(?:,\d*)?\})[?+]?/y],
  ["anchor", /[$^]/y],
  ["dot", /\./y],
  ["char", /[\s\S]/uy],
];

/** The pieces of a regular expression. All of its text is in them, whether it is a regular expression or not. */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const token = tokenAt(source, at);
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

function tokenAt(source: string, at: number): Token {
  for (const [kind, pattern] of PIECES) {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0];
    if (text !== undefined && text !== "") return { kind, text };
  }
  return { kind: "char", text: source.slice(at, at + 1) };
}
