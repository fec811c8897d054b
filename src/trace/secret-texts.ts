/** What stands in the place of a secret. */
export const REDACTED = "[redacted]";

type Shape = readonly [shape: RegExp, replacement: string | ((...groups: string[]) => string)];

/** Not within a word: most shapes begin with common letters. */
const START = "(?<![A-Za-z0-9])";

/** Secrets that are known by their looks. Each is linear to match: every repetition is of one class, or bounded. */
const SHAPES: readonly Shape[] = [
  [
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
    REDACTED,
  ],
  [new RegExp(`${START}(Bearer\\s{1,4})([\\w+/=.~-]{6,})`, "gi"), hideBearer],
  [new RegExp(`${START}(Basic\\s{1,4})([\\w+/=-]{6,})`, "gi"), hideBasic],
  // JSON Web Tokens: {" in base64 is eyJ.
  [new RegExp(`${START}eyJ[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*)?`, "g"), REDACTED],
  ...(
    [
      "[spr]k-[\\w-]{16,}", // OpenAI, Anthropic and many others
      "[spr]k_(?:live|test)_\\w{16,}", // Stripe
      "gh[pousr]_\\w{20,}", // GitHub
      "github_pat_\\w{20,}",
      "glpat-[\\w-]{16,}", // GitLab
      "xox[abeoprs]-[\\w-]{8,}", // Slack
      "xapp-[\\w-]{8,}",
      "(?:AKIA|ASIA)[A-Z0-9]{12,}", // AWS
      "AIza[\\w-]{30,}", // Google
      "ya29\\.[\\w-]{16,}",
      "hf_\\w{20,}", // Hugging Face
      "npm_\\w{30,}",
      "SG\\.[\\w-]{16,}\\.[\\w-]{16,}", // SendGrid
    ] as const
  ).map((shape): Shape => [new RegExp(`${START}${shape}`, "g"), REDACTED]),
  // https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1
  [/([A-Za-z]:\/\/[^\s/:@?#"']{0,256}):[^\s/?#"']{1,256}@/g, `$1:${REDACTED}@`],
];

/** What every shape above contains: most texts hold none of it and are not looked at further. */
const HINT =
  /PRIVATE KEY|bearer|basic|eyJ|[spr]k[-_]|gh[pousr]_|github_pat_|glpat-|xox|xapp-|AKIA|ASIA|AIza|ya29|hf_|npm_|SG\.|:\/\//i;

/** As long as the shortest of them: `a://:b@`. */
const MIN_CHARS = 7;

/** A text without the secrets that are known by their looks. */
export function hideShapes(text: string): string {
  if (text.length < MIN_CHARS || !HINT.test(text)) return text;
  let hidden = text;
  for (const [shape, replacement] of SHAPES) {
    hidden = hidden.replace(shape, replacement as string);
  }
  return hidden;
}

/** Words may follow "bearer" in a sentence; tokens have digits, capitals or signs in them, or are long. */
function hideBearer(whole: string, scheme: string, token: string): string {
  const isWord = /^[A-Za-z][a-z]{0,18}[.=-]*$/.test(token);
  return isWord ? whole : `${scheme}${REDACTED}`;
}

/** What follows "basic" is a secret only if it is base64 of `user:password`. */
function hideBasic(whole: string, scheme: string, encoded: string): string {
  const decoded = Buffer.from(encoded, "base64").toString("latin1");
  const isPair = /^[\x20-\x7e\x80-\xff]*:[\x20-\x7e\x80-\xff]*$/.test(decoded);
  return isPair && isBase64(encoded) ? `${scheme}${REDACTED}` : whole;
}

function isBase64(text: string): boolean {
  return text.replace(/=+$/, "").length % 4 !== 1;
}
