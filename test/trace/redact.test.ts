import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, LateRecord } from "../../machines/index.ts";
import { toReturned } from "../../src/execute/outcome.ts";
import { createRedactor, redactRecord } from "../../src/trace/index.ts";
import { isSecretKey } from "../../src/trace/secret-keys.ts";
import { anything } from "../support/odd-values.ts";
import { buildRecord, LATE, RECORDS } from "../support/records.ts";

const redact = createRedactor();
const MARK = "[redacted]";

/** Built here, so that no scanner takes these lines for secrets that leaked. */
const made = (...parts: string[]): string => parts.join("");
const TOKEN = made("gh", "p_", "a1B2c3D4".repeat(5));
const JWT = [
  made("ey", "JhbGciOiJIUzI1NiJ9"),
  made("ey", "JzdWIiOiIxMjM0In0"),
  "c2lnbmF0dXJl",
].join(".");

describe("The name of a key", () => {
  it.each(
    (
      "password passwd PASSWORD userPassword dbpassword password2 passwordHash old-password passphrase secret client_secret SecretKey " +
      "AWS_SECRET_ACCESS_KEY SECRET_KEY_BASE secret_id secrets apiKey api_key API-KEY x-api-key apikey openai.api_key token " +
      "access_token accessToken ACCESSTOKEN authtoken refresh-token id_token csrfToken token_value githubToken apiTokens bearer_token " +
      "Authorization proxy-authorization cookie Set-Cookie cookies cookieJar private_key privateKeyPem sshKey credential credentials " +
      "awsCredentials AccountKey jwt otp pwd smtp_pass pass DB_PASS cvv masterKey signing_key"
    ).split(" "),
  )("%s tells of a secret", (key) => {
    expect(isSecretKey(key)).toBe(true);
  });

  it.each(
    (
      "max_tokens maxTokens token_count tokenCount tokens total_tokens prompt_tokens completionTokens next_page_token nextPageToken " +
      "stop_token eos_token progressToken token_type tokenizer token_limit syncToken secretary secretName password_policy passwordHint " +
      "password_reset_url passwordField access_key_id api_key_name authorization_url authorizationEndpoint authority author keyboard " +
      "key primaryKey public_key monkey keys cookieConsent cookie_banner compass bypass pass_rate tests_pass passed passenger spin " +
      "mapping credentialType secretArn apiKeyPrefix password_file basic description session user name id"
    ).split(" "),
  )("%s does not", (key) => {
    expect(isSecretKey(key)).toBe(false);
  });
});

describe("Below the name of a secret", () => {
  it("everything is hidden but what tells nothing, and the shape stays", () => {
    expect(
      redact({ credentials: { user: "mira", pins: [1, "2"], set: true, old: null, none: "" } }),
    ).toEqual({
      credentials: { user: MARK, pins: [MARK, MARK], set: true, old: null, none: "" },
    });
  });

  it("a schema's own words stay away from what is beside them", () => {
    expect(redact({ city: "Lisbon", max_tokens: 512, password: "hunter2" })).toEqual({
      city: "Lisbon",
      max_tokens: 512,
      password: MARK,
    });
  });

  it("means beside it, where names and values are listed", () => {
    expect(
      redact({
        headers: [
          ["x-api-key", "abc"],
          ["accept", "*/*"],
        ],
        env: [
          { name: "DB_PASSWORD", value: "abc" },
          { key: "HOME", value: "/root" },
        ],
      }),
    ).toEqual({
      headers: [
        ["x-api-key", MARK],
        ["accept", "*/*"],
      ],
      env: [
        { name: "DB_PASSWORD", value: MARK },
        { key: "HOME", value: "/root" },
      ],
    });
  });

  it("a key __proto__ stays a key", () => {
    const given: Json = JSON.parse('{"__proto__":{"password":"hunter2"}}');
    expect(JSON.stringify(redact(given))).toBe(`{"__proto__":{"password":"${MARK}"}}`);
  });
});

describe("In a text, a secret is known by its looks:", () => {
  it.each<[what: string, text: string, hidden: string]>([
    [
      "bearer",
      "Authorization is Bearer abc.DEF-123_x, then",
      `Authorization is Bearer ${MARK}, then`,
    ],
    ["basic", `curl -H 'Basic ${btoa("mira:hunter2")}'`, `curl -H 'Basic ${MARK}'`],
    ["JWT", `got ${JWT}.`, `got ${MARK}.`],
    ["GitHub", `git clone with ${TOKEN}!`, `git clone with ${MARK}!`],
    ["OpenAI", made("key=s", "k-proj-abcdEFGH1234abcdEFGH"), `key=${MARK}`],
    ["Stripe", made("s", "k_live_", "a".repeat(24)), MARK],
    ["Slack", made("xo", "xb-1234567890-abcdefgh"), MARK],
    ["AWS", made("AK", "IAIOSFODNN7EXAMPLE in us-east-1"), `${MARK} in us-east-1`],
    ["Google", made("AI", "za", "a".repeat(35)), MARK],
    ["GitLab", made("gl", "pat-", "a".repeat(20)), MARK],
    [
      "private key",
      "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nb",
      `a\n${MARK}\nb`,
    ],
    ["private key that was cut", "-----BEGIN PRIVATE KEY-----\nMIIE", MARK],
    [
      "URL",
      "postgres://mira:hun:ter2@db.local:5432/x?a=b",
      `postgres://mira:${MARK}@db.local:5432/x?a=b`,
    ],
    ["URL with an @ in it", "redis://:p@ss@cache/0", `redis://:${MARK}@cache/0`],
  ])("%s", (_, text, hidden) => {
    expect(redact(text)).toBe(hidden);
  });

  it.each([
    "the bearer of this letter",
    "Bearer authentication is needed",
    "basic knowledge, Basic authentication, basic principles of dataflow",
    "https://example.org:8080/a?mail=me@example.org",
    "see http://host:80, or ask me@example.org",
    "task-force-of-twenty-people, risk-management-of-projects",
    "eyJust so",
    "a public key: -----BEGIN PUBLIC KEY-----",
  ])("and not seen in: %s", (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe("In a text, a secret is known by the name before it:", () => {
  it.each<[text: string, hidden: string]>([
    ['{"password":"hunter2","a":1}', `{"password":"${MARK}","a":1}`],
    ['{ "api_key" : "a \\"quoted\\" one" }', `{ "api_key" : "${MARK}" }`],
    ['{"a":{"token":12345}}', `{"a":{"token":"${MARK}"}}`],
    ['{"body":"{\\"password\\":\\"hunter2\\"}"}', `{"body":"{\\"password\\":\\"${MARK}\\"}"}`],
    ['{"password":"not closed', `{"password":"${MARK}`],
    [
      '… "secret":"x y" … [9 characters left out]',
      `… "secret":"${MARK}" … [9 characters left out]`,
    ],
    ["DB_PASSWORD=hunter2 node app.js", `DB_PASSWORD=${MARK} node app.js`],
    ["DB_PASSWORD=[x9!k and more", `DB_PASSWORD=${MARK} and more`],
    ["PASSWORD=ab(cd", `PASSWORD=${MARK}`],
    ["PASSWORD={a}b(c)", `PASSWORD=${MARK}`],
    [`password=${MARK}more`, `password=${MARK}`],
    ["f(password=abc), g[token=x]", `f(password=${MARK}), g[token=${MARK}]`],
    ["--password :[abc", `--password :${MARK}`],
    ["password: hunter2, user: mira", `password: ${MARK}, user: mira`],
    ["{ secret: 'x', n: 1 }", `{ secret: '${MARK}', n: 1 }`],
    ["API key: abc123", `API key: ${MARK}`],
    ["mysql --password hunter2 --user mira", `mysql --password ${MARK} --user mira`],
    ["mysql --password=hunter2 -u mira", `mysql --password=${MARK} -u mira`],
    ["https://a.org/?access_token=abc&page=2", `https://a.org/?access_token=${MARK}&page=2`],
    [
      "Authorization: Digest username=mira, response=abc\nAccept: */*",
      `Authorization: ${MARK}\nAccept: */*`,
    ],
    ["Authorization: Bearer short", `Authorization: ${MARK}`],
    ["Cookie: sid=abc; theme=dark\r\nHost: a", `Cookie: ${MARK}\r\nHost: a`],
    ['-H "X-Api-Key: abc" -d x', `-H "X-Api-Key: ${MARK}" -d x`],
    ["AccountName=a;AccountKey=b==;End=c", `AccountName=a;AccountKey=${MARK};End=c`],
  ])("%s", (text, hidden) => {
    expect(redact(text)).toBe(hidden);
  });

  it("also when JSON text has a list or an object there", () => {
    const text = '{"credentials": {"user": "mira", "keys": ["a"]}, "max_tokens": 5}';
    expect(redact(text)).toBe(
      `{"credentials":{"user":"${MARK}","keys":["${MARK}"]},"max_tokens":5}`,
    );
  });

  it.each([
    '{"max_tokens":512,"token_count": 3, "has_password":true,"secret":null,"cookie":""}',
    "The secretary: Mira. The author=Jo. tokens: many",
    '[1, {"a": "token"}]',
    "password",
  ])("and not seen in: %s", (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe("Own rules", () => {
  it("hide further keys, whatever their case and separators, in data and in texts", () => {
    const own = createRedactor({ keys: ["card number"] });
    expect(own({ CardNumber: 1234, text: '{"card_number":"1234"} card-number=1234' })).toEqual({
      CardNumber: MARK,
      text: `{"card_number":"${MARK}"} card-number=${MARK}`,
    });
  });

  it("hide registered secrets wherever they stand, also escaped in JSON text and in keys", () => {
    const own = createRedactor({ values: ['pa"ss', "pass", 'pa"ss word'] });
    expect(
      own({ a: 'is pa"ss word', b: JSON.stringify({ x: 'pa"ss' }), "of pass": "compass" }),
    ).toEqual({
      a: `is ${MARK}`,
      b: `{"x":"${MARK}"}`,
      [`of ${MARK}`]: `com${MARK}`,
    });
  });

  it.each([{ values: ["abc"] }, { values: [undefined] }, { keys: ["--"] }, { keys: [4] }])(
    "that are none are refused when they are made: %o",
    (options) => {
      expect(() => createRedactor(options as never)).toThrow(TypeError);
    },
  );
});

describe("A record", () => {
  const S = "s3cr3t-value";
  const own = { values: [S] };

  it("is searched in every part", () => {
    const record = buildRecord({
      id: "c",
      tool: "t",
      arguments: `{"q":"${S}"}`,
      got: { q: S },
      steps: [["validating", 1, "call.received"]],
      output: S,
      error: S,
      failure: {
        ...RECORDS.toolError.result.failure,
        message: S,
        cause: { name: S, message: S, stack: S, data: S },
      } as never,
      metadata: {
        structured: { deep: [S] },
        stderr: S,
        tool: { note: S },
        losses: [S],
        decision: { decision: "ask", reason: S },
        approval: { decision: "approved", by: S, decidedAt: 0, edited: false },
        retried: [{ ...RECORDS.toolError.result.failure, message: S } as never],
      },
      context: { user: S, session: S },
    });
    const hidden = redactRecord(record, own);
    expect(JSON.stringify(hidden)).not.toContain(S);
    expect(hidden.result.metadata.trace).toEqual(record.result.metadata.trace);
    expect(hidden.executionId).toBe(record.executionId);
  });

  it("of a late outcome is searched too", () => {
    const late: LateRecord = {
      ...LATE,
      outcome: { status: "threw", error: { name: "E", message: `password=${S}` } },
    };
    expect(redactRecord(late).outcome).toEqual({
      status: "threw",
      error: { name: "E", message: `password=${MARK}` },
    });
  });

  it("without secrets is copied, unchanged", () => {
    for (const record of Object.values(RECORDS)) {
      const hidden = redactRecord(record);
      expect(hidden).toEqual(record);
      expect(hidden.result).not.toBe(record.result);
    }
  });
});

describe("Redaction", () => {
  it("never throws, keeps JSON stable, and changes nothing the second time", () => {
    const bits = fc.constantFrom(
      '"',
      "\\",
      "'",
      "=",
      ":",
      " ",
      "\n",
      "--",
      "password",
      "token",
      "Bearer ",
      "{",
      "}",
      "[",
      "x",
      "1",
      "://",
      "@",
      "eyJ",
      "\ud800",
    );
    const texts = fc.array(bits, { maxLength: 30 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(
        fc.oneof(
          texts,
          texts.map((text) => JSON.stringify({ a: text, secret: [text] })),
        ),
        (text) => {
          const once = redact(text);
          expect(redact(once)).toBe(once);
        },
      ),
      {
        numRuns: 2000,
        examples: [
          ["--tokenBearer ://"],
          ["--password\n=="],
          ["password=x])"],
          ["token=Bearer Bearer \ntokena.b"],
          ["://password://;a.b;\\(&@"],
          ['{"a":"--password\\n://","secret":["--password\\n://"]}'],
        ],
      },
    );
  });

  it("leaves anything that a tool may return plain", () => {
    fc.assert(
      fc.property(anything(), (make) => {
        const outcome = toReturned(make());
        const hidden = redactRecord({ ...LATE, outcome });
        expect(JSON.parse(JSON.stringify(hidden))).toEqual(hidden);
      }),
      { numRuns: 200 },
    );
  });

  it("hides what is nested too deeply to be looked through", () => {
    let deep: Json = "secret at the bottom";
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(JSON.stringify(redact(deep))).toBe(`${"[".repeat(200)}"${MARK}"${"]".repeat(200)}`);
    expect(redact(`${"[".repeat(100_000)}{"password":"x"}${"]".repeat(100_000)}`)).not.toContain(
      '"x"',
    );
  });

  it("takes time in proportion to the text, whatever stands in it", () => {
    const hostile = [
      "-----BEGIN ",
      'password:"',
      "a://b:",
      "eyJaaaaaaaaa.",
      "token=",
      'secret="\\',
      "bearer ",
      "--password ",
      `token=${")".repeat(500)} `,
    ];
    for (const part of hostile) {
      const short = time(part.repeat(2_000));
      const long = time(part.repeat(20_000));
      // Quadratic time would be a hundredfold.
      expect(long).toBeLessThan(Math.max(short, 2) * 40);
    }
  });
});

function time(text: string): number {
  const runs = [1, 2, 3].map(() => {
    const start = performance.now();
    redact(text);
    return performance.now() - start;
  });
  return Math.min(...runs);
}
