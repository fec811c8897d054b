/**
 * Names of secrets, as written in one word or several (`apikey`, `apiKey`, `API-Key`). They must end where a word of the key
 * ends, so that `secretary` is none.
 */
const PHRASES =
  /(?:pass(?:word|wd|phrase|code)|secret|authorization|credential|(?:api|private|secret|access|account|master|signing|encryption|ssh|license)key|(?:access|refresh|auth|id|session|bearer|api|csrf|xsrf|bot|client|security)token|(?:card|sim|user|login|security)pin)s?/g;

/** Whole words that are secrets. */
const WORDS: ReadonlySet<string> = new Set([
  "token",
  "cookie",
  "cookies",
  "jwt",
  "otp",
  "totp",
  "pwd",
  "cvv",
  "cvc",
]);

/** A word before `token` that makes it a unit, a mark or a place. */
const COUNTED: ReadonlySet<string> = new Set(
  (
    "max min num total next prev previous page pagination stop eos bos pad unk sep cls mask prompt completion input output " +
    "cached reasoning progress continuation continue sync cursor start end first last per special cancellation scroll resume"
  ).split(" "),
);

/** `pass` is a password only behind these; elsewhere things pass. */
const LOGINS: ReadonlySet<string> = new Set(
  "admin auth basic db email ftp http mail mysql pg postgres proxy redis root smtp user".split(" "),
);

/** A word behind a secret's name that makes the whole something about the secret. */
const ABOUT: ReadonlySet<string> = new Set(
  (
    "count counts limit limits usage used budget type types kind name names id ids length len size expiry expires expiration " +
    "expire ttl lifetime age at in url urls uri uris endpoint arn path file filename dir policy rules hint field fields label " +
    "placeholder required enabled disabled valid strength rotation reset changed updated created remaining version algorithm " +
    "alg scheme prefix status format schema index per cost price rate probs logprobs provider manager store source location " +
    "ref scope scopes consent banner domain description error errors message server servers"
  ).split(" "),
);

/** Longer names are no names of fields. */
const MAX_KEY_CHARS = 200;

/** Does a field of this name hold a secret? Case and separators do not matter; `max_tokens` and `token_type` are harmless. */
export function isSecretKey(key: string): boolean {
  if (key.length > MAX_KEY_CHARS) return false;
  const words = toWords(key);
  return words.some((word, at) => isSecretWord(words, word, at)) || hasPhrase(words);
}

/** The letters and digits of a key, in lower case: keys that differ in nothing else mean the same. */
export function fold(key: string): string {
  return key.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function toWords(key: string): readonly string[] {
  return key
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
}

function isSecretWord(words: readonly string[], word: string, at: number): boolean {
  const before = words[at - 1];
  const after = words[at + 1];
  if (word === "pass") {
    return after === undefined && (before === undefined || LOGINS.has(before));
  }
  if (!WORDS.has(word) || (after !== undefined && ABOUT.has(after))) return false;
  return word !== "token" || before === undefined || !COUNTED.has(before);
}

function hasPhrase(words: readonly string[]): boolean {
  const joined = words.join("");
  const ends = new Map<number, number>();
  let end = 0;
  for (const [at, word] of words.entries()) {
    end += word.length;
    ends.set(end, at);
  }
  for (const match of joined.matchAll(PHRASES)) {
    const last = ends.get(match.index + match[0].length);
    if (last !== undefined && !isAbout(match[0], words[last + 1])) return true;
  }
  return false;
}

function isAbout(phrase: string, after: string | undefined): boolean {
  if (after === undefined) return false;
  // The id of a key is public, a `secret_id` is the secret of an AppRole.
  return phrase.startsWith("secret") && after === "id" ? false : ABOUT.has(after);
}
