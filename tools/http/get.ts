import { get as getHttp, type IncomingMessage } from "node:http";
import { get as getHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { ToolError } from "../../src/tool.ts";
import { type HostRule, refuseAddress } from "./address.ts";

/** How to get. */
export interface GetOptions {
  readonly lookup: LookupFunction;
  /** Hosts that may be reached wherever they are. */
  readonly mayBePrivate: HostRule;
  readonly maxRedirects: number;
  readonly signal: AbortSignal;
}

/** An answer whose body is still to come. */
export interface Answer {
  readonly response: IncomingMessage;
  readonly status: number;
  /** Where it came from in the end. */
  readonly url: URL;
  readonly redirects: number;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** GETs a URL and follows redirects; each hop is checked like the first. The caller reads or destroys the body. */
export async function getFollowing(text: string, options: GetOptions): Promise<Answer> {
  let url = toUrl(text, undefined, options.mayBePrivate);
  for (let redirects = 0; ; redirects += 1) {
    const response = await getOnce(url, options);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (!REDIRECTS.has(status) || location === undefined)
      return { response, status, url, redirects };
    response.destroy();
    if (redirects >= options.maxRedirects) {
      throw new ToolError(
        `${showUrl(text)} redirects more than ${options.maxRedirects} times. Give the URL of the page itself.`,
        { code: "too_many_redirects" },
      );
    }
    url = toUrl(location, url, options.mayBePrivate);
  }
}

/** A URL that may be asked, as far as can be told from its text. The WHATWG parser makes plain addresses of odd ones. */
function toUrl(text: string, base: URL | undefined, mayBePrivate: HostRule): URL {
  const what = base === undefined ? showUrl(text) : `The redirect to ${showUrl(text)}`;
  const url = URL.parse(text, base?.href);
  if (url === null) {
    throw refusal(
      `${what} is no valid URL. Give one such as "https://example.com/page".`,
      "invalid_url",
    );
  }
  if (url.username !== "" || url.password !== "") {
    // Not shown: it holds a password.
    throw refusal(
      `The URL for ${JSON.stringify(url.host)} has a user name or password in it. Give it without.`,
      "credentials_refused",
    );
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refusal(`${what} is neither http nor https. Give an http or https URL.`, "invalid_url");
  }
  if (!mayBePrivate(url.hostname)) refuseAddress(url.hostname);
  return url;
}

function refusal(message: string, code: string): ToolError {
  return new ToolError(message, { code, executed: "no" });
}

/** One request on a connection of its own, which ends with it. */
function getOnce(url: URL, { lookup, signal }: GetOptions): Promise<IncomingMessage> {
  const get = url.protocol === "https:" ? getHttps : getHttp;
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request = get(url, {
      agent: false,
      lookup,
      signal,
      headers: { accept: "*/*", "accept-encoding": "gzip, br", "user-agent": "callchart" },
    });
    // It stays: once there is a response, errors arrive there too.
    request.on("error", reject);
    request.once("response", resolve);
    // Node drops the connection of a 101 that nobody listens for, and then tells of neither an answer nor an error.
    request.once("upgrade", (_, socket) => {
      socket.destroy();
      reject(
        new ToolError(
          `${showUrl(url)} answered 101 and would speak another protocol than HTTP. Give the URL of a page.`,
          { code: "http_status", data: { status: 101, url: url.href } },
        ),
      );
    });
    // Whatever else may end it without an answer: nobody waits for ever. Too late to matter in all other cases.
    request.once("close", () => reject(Object.assign(new Error("closed"), { code: "ECONNRESET" })));
  });
}

/** A URL for a message: quoted, without a password, and not longer than fits. */
export function showUrl(url: string | URL): string {
  // Also of a text that is no valid URL, and so cannot be taken apart.
  const text = String(url).replace(/^([^/?#]*[/\\]{2})[^/?#]*@/, "$1...@");
  return JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}...` : text);
}
