import { type IncomingMessage, STATUS_CODES } from "node:http";
import { ToolError } from "../../src/tool.ts";
import { type Answer, showUrl } from "./get.ts";
import { excerptOf, readBody } from "./read-body.ts";

/** Codes of Node that say: not now, rather than not at all. */
const TRANSIENT: ReadonlySet<string> = new Set([
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "EMFILE",
  "ENETDOWN",
  "ENETUNREACH",
  "EPIPE",
  "ETIMEDOUT",
]);

/** Codes after which nothing can have been sent. */
const BEFORE_SENDING: ReadonlySet<string> = new Set([
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "EMFILE",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOTFOUND",
]);

/** Any failure of a connection, in words for a model. What is a `ToolError` already stays as it is. */
export function toConnectionError(error: unknown, url: string): ToolError {
  if (error instanceof ToolError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  const options = {
    code,
    retryable: TRANSIENT.has(code),
    executed: BEFORE_SENDING.has(code) ? "no" : "unknown",
    cause: error,
  } as const;
  return new ToolError(`${describe(code)}: ${showUrl(url)} (${code}).`, options);
}

function describe(code: string): string {
  if (code === "ENOTFOUND") return "There is no host of that name; check its spelling";
  if (code.startsWith("Z_") || code.startsWith("ERR_BROTLI") || code.startsWith("ERR__ERROR")) {
    return "The body of the answer is damaged";
  }
  if (code === "HPE_HEADER_OVERFLOW") return "The headers of the answer are too large";
  if (code.startsWith("HPE_")) return "What answered does not speak HTTP";
  if (/CERT|SSL|TLS|EPROTO/.test(code)) return "No secure connection could be made";
  return "The connection failed";
}

/** An answer other than 2xx: 408, 429 and 5xx may be tried again, when the server says if it does. */
export async function toStatusError(answer: Answer): Promise<ToolError> {
  const { response, status, url } = answer;
  const excerpt = await readExcerpt(response);
  // Not the phrase that the server sent: it may be anything.
  const line = `${status} ${STATUS_CODES[status] ?? ""}`.trim();
  const retryable = status === 408 || status === 429 || (status >= 500 && status <= 599);
  const retryAfterMs = retryable ? readRetryAfter(response) : undefined;
  return new ToolError(`${showUrl(url)} answered ${line}${excerpt === "" ? "." : `: ${excerpt}`}`, {
    code: "http_status",
    retryable,
    data: { status, url: url.href },
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

const EXCERPT_BYTES = 4096;

async function readExcerpt(response: IncomingMessage): Promise<string> {
  try {
    return excerptOf(await readBody(response, EXCERPT_BYTES), response.headers["content-type"]);
  } catch {
    // The status is what matters; its body was an extra.
    return "";
  }
}

/** Seconds, or a date; measured by the server's own clock where it tells it (RFC 9110, 10.2.3). */
function readRetryAfter({ headers }: IncomingMessage): number | undefined {
  const value = headers["retry-after"]?.trim();
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
  // `Date.parse` makes a date of nearly anything.
  if (!value.endsWith("GMT")) return undefined;
  const serverNow = Date.parse(headers.date ?? "");
  const wait = Date.parse(value) - (Number.isNaN(serverNow) ? Date.now() : serverNow);
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
