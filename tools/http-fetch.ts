import {
  defineTool,
  type JsonSchema,
  type Tool,
  type ToolOutput,
  toolOutput,
} from "../src/tool.ts";
import {
  createGuardedLookup,
  type ResolveHost,
  resolveBySystem,
  toHostRule,
} from "./http/address.ts";
import { toConnectionError, toStatusError } from "./http/failures.ts";
import { type Answer, type GetOptions, getFollowing } from "./http/get.ts";
import { type Body, readBody, toText } from "./http/read-body.ts";
import { digestOf } from "./text.ts";

export type { HostAddress, ResolveHost } from "./http/address.ts";

interface HttpFetchArguments {
  readonly url: string;
}

/** How to make a fetching tool. */
export interface HttpFetchToolOptions {
  /**
   * Loopback, private, link-local and reserved addresses may be reached too: `true` of any host, a list of those hosts
   * (names or addresses, without a port, each hop of a redirect for itself). Default false.
   */
  readonly allowPrivate?: boolean | readonly string[];
  /** Bytes of a body that are read at most, after decompression. Default 100 000. */
  readonly maxBytes?: number;
  /** How host names become addresses. Default: the system's resolver. */
  readonly resolveHost?: ResolveHost;
}

const MAX_REDIRECTS = 5;

/**
 * Makes the tool `http_fetch`: GETs a page of the public internet and returns its text; of other bodies a digest (type,
 * size, SHA-256). Addresses are checked where they are connected to, at each of at most 5 redirects. It sends no cookies
 * and no credentials, and uses no proxy.
 *
 * Answers other than 2xx fail with code `http_status` (429 and 5xx may be tried again), addresses that must not be
 * reached with `address_refused`; further codes are `invalid_url`, `credentials_refused`, `too_many_redirects`, and
 * those of Node for connections.
 *
 * @throws TypeError for a bound or a host that is none.
 */
export function createHttpFetchTool(
  options: HttpFetchToolOptions = {},
): Tool<JsonSchema, ToolOutput> {
  const { allowPrivate = false, maxBytes = 100_000, resolveHost = resolveBySystem } = options;
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1) {
    throw new TypeError(`maxBytes must be a whole number of at least 1, not ${maxBytes}.`);
  }
  const mayBePrivate = toHostRule(allowPrivate);
  const lookup = createGuardedLookup(resolveHost, mayBePrivate);
  return defineTool<JsonSchema, ToolOutput>({
    name: "http_fetch",
    description: [
      "Fetches a URL with GET and returns the text of the answer as it is (HTML is not made readable).",
      `At most ${maxBytes} bytes are returned; a last line in brackets says where it was cut. Of a body that is no text it returns type, size and SHA-256.`,
      describeReach(allowPrivate),
    ]
      .join(" ")
      .trim(),
    inputSchema: {
      type: "object",
      properties: {
        url: {
          type: "string",
          minLength: 1,
          maxLength: 8192,
          description:
            'The whole http or https URL, without user name and password, such as "https://example.com/page".',
        },
      },
      required: ["url"],
      additionalProperties: false,
    },
    annotations: {
      title: "Fetch a URL",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true,
    },
    executionTimeoutMs: 30_000,
    retry: { maxAttempts: 3, baseMs: 500 },
    // It is cut here already.
    limits: { outputChars: maxBytes + 1000 },
    execute: ({ url }: HttpFetchArguments, { signal }) =>
      fetchText(url, { lookup, mayBePrivate, maxRedirects: MAX_REDIRECTS, signal }, maxBytes),
  });
}

function describeReach(allowPrivate: boolean | readonly string[]): string {
  if (allowPrivate === true) return "";
  const others = allowPrivate === false ? [] : allowPrivate;
  return `Only ${["hosts on the public internet", ...others].join(", ")} can be reached.`;
}

async function fetchText(url: string, options: GetOptions, maxBytes: number): Promise<ToolOutput> {
  const { signal } = options;
  signal.throwIfAborted();
  try {
    const answer = await getFollowing(url, options);
    if (answer.status < 200 || answer.status > 299) throw await toStatusError(answer);
    return await toOutput(answer, await readBody(answer.response, maxBytes));
  } catch (error) {
    // Told to stop, whatever broke because of it.
    signal.throwIfAborted();
    throw toConnectionError(error, url);
  }
}

async function toOutput(answer: Answer, body: Body): Promise<ToolOutput> {
  const { response, status, url, redirects } = answer;
  const contentType = response.headers["content-type"];
  const metadata = {
    status,
    url: url.href,
    redirects,
    bytes: body.bytes.length,
    cut: body.cut,
    ...(contentType === undefined ? {} : { contentType }),
  };
  const shownMetadata = redirects > 0 ? ["url"] : [];
  if (body.bytes.length === 0) {
    return toolOutput({ output: `[${status}: the body is empty.]`, metadata, shownMetadata });
  }
  const text = toText(body, contentType);
  if (text === undefined) {
    return toolOutput({ ...(await digest(body, contentType)), metadata, shownMetadata });
  }
  const note = `\n[Cut after ${body.bytes.length} bytes: the body is longer.]`;
  return toolOutput({ output: body.cut ? text + note : text, metadata, shownMetadata });
}

/** What stands for a body that is no text. Of one that was cut the hash would say nothing. */
async function digest(
  { bytes, cut, unknownEncoding }: Body,
  contentType = "of unknown type",
): Promise<Pick<ToolOutput, "output" | "structured">> {
  const encoded = unknownEncoding === undefined ? "" : `, encoded as ${unknownEncoding}`;
  const what = `${contentType}${encoded}`;
  if (cut) {
    return {
      output: `[No text: ${what}, more than ${bytes.length} bytes.]`,
      structured: { binary: true, contentType, moreThanBytes: bytes.length },
    };
  }
  const { sha256 } = await digestOf([bytes]);
  return {
    output: `[No text: ${what}, ${bytes.length} bytes, SHA-256 ${sha256}.]`,
    structured: { binary: true, contentType, bytes: bytes.length, sha256 },
  };
}
