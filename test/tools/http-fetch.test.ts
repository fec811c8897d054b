import { createHash } from "node:crypto";
import { createServer, type Socket } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { ToolError, type ToolOutput } from "../../src/tool.ts";
import { createGuardedLookup } from "../../tools/http/address.ts";
import { getFollowing } from "../../tools/http/get.ts";
import { createHttpFetchTool, type HttpFetchToolOptions } from "../../tools/http-fetch.ts";
import { serve } from "../support/http-server.ts";
import { until } from "../support/processes.ts";
import { compileInput, itIsAReadyMadeTool } from "../support/tool-conformance.ts";
import { createToolContext, timeoutReason } from "../support/tool-context.ts";

const start = (url: string, options: HttpFetchToolOptions = {}) => {
  const run = createToolContext();
  const tool = createHttpFetchTool(options);
  return { ...run, result: tool.execute({ url }, run.context) as Promise<ToolOutput> };
};
/** Fetches from a loopback server. */
const fetchLocal = (url: string, options: HttpFetchToolOptions = {}) =>
  start(url, { allowPrivate: true, ...options }).result;

const failureOf = async (result: Promise<unknown>): Promise<ToolError> => {
  const error: unknown = await result.then(
    (value) => value,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ToolError)) throw new Error(`No ToolError, but ${String(error)}`);
  return error;
};

/** Starts a server that answers the first bytes of each connection by hand, and returns its origin. */
const serveRaw = async (answer: (socket: Socket) => void): Promise<string> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
};

describe("the http_fetch tool", () => {
  const tool = createHttpFetchTool();
  itIsAReadyMadeTool(tool, "http_fetch");

  it("accepts one URL and nothing else", () => {
    const accepts = compileInput(tool);
    expect(accepts({ url: "https://example.com" })).toBe(true);
    expect(accepts({})).toBe(false);
    expect(accepts({ url: "https://example.com", method: "POST" })).toBe(false);
  });

  it("cannot be made with a senseless bound", () => {
    expect(() => createHttpFetchTool({ maxBytes: 0 })).toThrow(TypeError);
  });

  it("cannot be made with a private host that is none", () => {
    expect(() => createHttpFetchTool({ allowPrivate: ["localhost:80"] })).toThrow(
      '"localhost:80" is no host. Give a name or an address without a port, such as "localhost".',
    );
  });

  it("tells a model which hosts it can reach", () => {
    const reach = (allowPrivate: boolean | readonly string[]) =>
      createHttpFetchTool({ allowPrivate }).description?.match(/Only .*/)?.[0];
    expect(reach(false)).toBe("Only hosts on the public internet can be reached.");
    expect(reach(["localhost", "wiki.example"])).toBe(
      "Only hosts on the public internet, localhost, wiki.example can be reached.",
    );
    expect(reach(true)).toBeUndefined();
  });
});

describe("fetching a page", () => {
  it("gives its text, and status, URL and size apart", async () => {
    const { origin } = await serve((_, response) => {
      response.setHeader("content-type", "text/plain; charset=utf-8");
      response.end("hello ä€😀");
    });
    expect(await fetchLocal(`${origin}/a?b=1`)).toEqual({
      output: "hello ä€😀",
      metadata: {
        status: 200,
        url: `${origin}/a?b=1`,
        redirects: 0,
        bytes: 15,
        cut: false,
        contentType: "text/plain; charset=utf-8",
      },
      shownMetadata: [],
    });
  });

  it("sends a plain GET without cookies or credentials", async () => {
    const { origin } = await serve(({ method, headers }, response) => {
      response.end(JSON.stringify({ method, names: Object.keys(headers).sort() }));
    });
    const { output = "" } = await fetchLocal(origin);
    expect(JSON.parse(output)).toEqual({
      method: "GET",
      names: ["accept", "accept-encoding", "connection", "host", "user-agent"],
    });
  });

  it("reads text of the character set that it is declared in", async () => {
    const { origin } = await serve((_, response) => {
      response.setHeader("content-type", 'text/html; charset="ISO-8859-1"');
      response.end(Buffer.from("caf\u00e9", "latin1"));
    });
    expect(await fetchLocal(origin)).toMatchObject({ output: "café" });
  });

  it("says that a body is empty", async () => {
    const { origin } = await serve((_, response) => {
      response.statusCode = 204;
      response.end();
    });
    expect(await fetchLocal(origin)).toMatchObject({
      output: "[204: the body is empty.]",
      metadata: { status: 204 },
    });
  });

  it("takes what is undeclared for what it looks like", async () => {
    const { origin } = await serve((request, response) => {
      response.end(request.url === "/text" ? "plain" : Buffer.from([1, 0, 2]));
    });
    expect(await fetchLocal(`${origin}/text`)).toMatchObject({ output: "plain" });
    expect(await fetchLocal(`${origin}/binary`)).toMatchObject({
      structured: { binary: true, bytes: 3 },
    });
  });

  it.each([["image/png"], ["text/plain"]])(
    "gives a digest of bytes that are no text, declared as %s",
    async (type) => {
      const bytes = Uint8Array.from({ length: 5000 }, (_, index) => index % 256);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const { origin } = await serve((_, response) => {
        response.setHeader("content-type", type);
        response.end(bytes);
      });
      expect(await fetchLocal(origin)).toMatchObject({
        output: `[No text: ${type}, 5000 bytes, SHA-256 ${sha256}.]`,
        structured: { binary: true, contentType: type, bytes: 5000, sha256 },
      });
    },
  );

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ])("undoes %s", async (encoding, compress) => {
    const { origin } = await serve((_, response) => {
      response.setHeader("content-type", "application/json");
      response.setHeader("content-encoding", encoding);
      response.end(compress('{"a":1}'));
    });
    expect(await fetchLocal(origin)).toMatchObject({ output: '{"a":1}' });
  });

  it.each(["gzip", "br"])("says that a body is empty though it is called %s", async (encoding) => {
    const { origin } = await serve((request, response) => {
      response.setHeader("content-encoding", encoding);
      if (request.url === "/204") response.statusCode = 204;
      // Without an end the server would name a length of 0 itself.
      else if (request.url === "/chunked") response.flushHeaders();
      response.end();
    });
    for (const [path, status] of [
      ["/204", 204],
      ["/200", 200],
      ["/chunked", 200],
    ]) {
      expect(await fetchLocal(`${origin}${path}`)).toMatchObject({
        output: `[${status}: the body is empty.]`,
      });
    }
  });

  it("does not guess at an encoding that it did not ask for", async () => {
    const { origin } = await serve((_, response) => {
      response.setHeader("content-type", "text/plain");
      response.setHeader("content-encoding", "gzip, gzip");
      response.end("whatever");
    });
    const { output } = await fetchLocal(origin);
    expect(output).toMatch(
      /^\[No text: text\/plain, encoded as gzip, gzip, 8 bytes, SHA-256 [0-9a-f]{64}\.\]$/,
    );
  });
});

describe("a body that is too large", () => {
  it("is cut, says so, and the connection is let go", async () => {
    const server = await serve((_, response) => {
      response.setHeader("content-type", "text/plain");
      const more = (): void => {
        if (!response.destroyed) response.write("x".repeat(10_000), more);
      };
      more();
    });
    const { output, metadata } = await fetchLocal(server.origin, { maxBytes: 25_000 });
    expect(output).toBe(`${"x".repeat(25_000)}\n[Cut after 25000 bytes: the body is longer.]`);
    expect(metadata).toMatchObject({ bytes: 25_000, cut: true });
    await until(async () => (await server.openConnections()) === 0, "the connection is closed");
  });

  it("is not called cut when it has exactly the size of the bound", async () => {
    const { origin } = await serve((_, response) => response.end("x".repeat(100)));
    expect(await fetchLocal(origin, { maxBytes: 100 })).toMatchObject({
      output: "x".repeat(100),
      metadata: { cut: false },
    });
  });

  it("is never cut inside a character", async () => {
    const { origin } = await serve((_, response) => response.end("😀😀😀"));
    const { output } = await fetchLocal(origin, { maxBytes: 10 });
    expect(output).toBe("😀😀\n[Cut after 10 bytes: the body is longer.]");
  });

  it("is measured after decompression, and a bomb is not blown up", async () => {
    const bomb = gzipSync(Buffer.alloc(300_000_000, "x"), { level: 9 });
    const { origin } = await serve((_, response) => {
      response.setHeader("content-type", "text/plain");
      response.setHeader("content-encoding", "gzip");
      response.end(bomb);
    });
    const before = process.memoryUsage().rss;
    const { output = "", metadata } = await fetchLocal(origin, { maxBytes: 1000 });
    expect(output).toHaveLength(1000 + "\n[Cut after 1000 bytes: the body is longer.]".length);
    expect(metadata).toMatchObject({ bytes: 1000, cut: true });
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
  });

  it("is not read on when all that comes decompresses to nothing", async () => {
    const nothing = Buffer.concat(Array.from({ length: 1000 }, () => gzipSync("")));
    const { origin } = await serve((_, response) => {
      response.setHeader("content-encoding", "gzip");
      const more = (): void => {
        if (!response.destroyed) response.write(nothing, more);
      };
      more();
    });
    expect(await failureOf(fetchLocal(origin, { maxBytes: 1000 }))).toMatchObject({
      code: "invalid_body",
      retryable: false,
    });
  });

  it("is not hashed when it is no text", async () => {
    const { origin } = await serve((_, response) => {
      response.setHeader("content-type", "image/png");
      response.end(Buffer.alloc(5000));
    });
    expect(await fetchLocal(origin, { maxBytes: 1000 })).toMatchObject({
      output: "[No text: image/png, more than 1000 bytes.]",
      structured: { binary: true, contentType: "image/png", moreThanBytes: 1000 },
    });
  });
});

describe("redirects", () => {
  it.each([301, 302, 303, 307, 308])(
    "are followed with status %i, and the model is told where to",
    async (status) => {
      const { origin, requests } = await serve((request, response) => {
        if (request.url === "/to") return response.end("there");
        response.writeHead(status, { location: "/to" });
        return response.end();
      });
      expect(await fetchLocal(`${origin}/from`)).toMatchObject({
        output: "there",
        metadata: { status: 200, url: `${origin}/to`, redirects: 1 },
        shownMetadata: ["url"],
      });
      expect(requests).toEqual(["/from", "/to"]);
    },
  );

  it("end after five", async () => {
    const { origin, requests } = await serve((request, response) => {
      response.writeHead(302, { location: `/${Number(request.url?.slice(1)) + 1}` });
      response.end();
    });
    expect(await failureOf(fetchLocal(`${origin}/0`))).toMatchObject({
      code: "too_many_redirects",
      message: `"${origin}/0" redirects more than 5 times. Give the URL of the page itself.`,
    });
    expect(requests).toHaveLength(6);
  });

  it.each([
    ["file:///etc/passwd", "invalid_url"],
    ["http://user:secret@127.0.0.1/", "credentials_refused"],
    ["http://[", "invalid_url"],
  ])("to %s are refused", async (location, code) => {
    const { origin } = await serve((_, response) => {
      response.writeHead(302, { location });
      response.end();
    });
    expect(await failureOf(fetchLocal(origin))).toMatchObject({ code });
  });
});

describe("answers that are failures", () => {
  it("of 101 end at once: nobody waits for a protocol that is not spoken", async () => {
    const origin = await serveRaw((socket) =>
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
    );
    expect(await failureOf(fetchLocal(origin))).toMatchObject({
      code: "http_status",
      retryable: false,
      data: { status: 101 },
    });
  });

  it("are told in our words and without control characters", async () => {
    const origin = await serveRaw((socket) =>
      socket.end(
        "HTTP/1.1 404 \u001b[31mIgnore all\r\nContent-Type: text/plain\r\n\r\nred \u001b[31m\u0007 text",
      ),
    );
    const { message } = await failureOf(fetchLocal(origin));
    expect(message).toBe(`"${origin}/" answered 404 Not Found: red [31m text`);
  });

  it.each([408, 599])("of %i may be tried again", async (status) => {
    const { origin } = await serve((_, response) => {
      response.statusCode = status;
      response.end();
    });
    expect(await failureOf(fetchLocal(origin))).toMatchObject({ retryable: true });
  });

  it.each([400, 401, 403, 410, 600, 999])("of %i are final", async (status) => {
    const origin = await serveRaw((socket) =>
      socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\nRetry-After: 7\r\n\r\n`),
    );
    expect(await failureOf(fetchLocal(origin))).toMatchObject({
      retryable: false,
      retryAfterMs: undefined,
    });
  });

  it("of 4xx are for the model, with the beginning of what the server said", async () => {
    const { origin } = await serve((_, response) => {
      response.writeHead(404, { "content-type": "text/plain" });
      response.end(`No\n  such page. ${"x".repeat(5000)}`);
    });
    const error = await failureOf(fetchLocal(`${origin}/a`));
    expect(error).toMatchObject({
      code: "http_status",
      retryable: false,
      data: { status: 404, url: `${origin}/a` },
    });
    expect(error.message).toMatch(
      /^"http:\/\/127\.0\.0\.1:\d+\/a" answered 404 Not Found: No such page\. x+\.\.\.$/,
    );
    expect(error.message.length).toBeLessThan(700);
  });

  it.each([500, 502, 503, 504])("of %i may be tried again", async (status) => {
    const { origin } = await serve((_, response) => {
      response.statusCode = status;
      response.end();
    });
    expect(await failureOf(fetchLocal(origin))).toMatchObject({
      code: "http_status",
      retryable: true,
      retryAfterMs: undefined,
    });
  });

  it.each([
    ["in seconds", { "retry-after": "7" }, 7000],
    [
      "as a date by the server's clock",
      { date: "Wed, 01 May 2024 12:00:00 GMT", "retry-after": "Wed, 01 May 2024 12:00:30 GMT" },
      30_000,
    ],
    [
      "in the past",
      { date: "Wed, 01 May 2024 12:00:00 GMT", "retry-after": "Wed, 01 May 2024 11:00:00 GMT" },
      0,
    ],
    ["that is none", { "retry-after": "soon" }, undefined],
    ["that is less than none", { "retry-after": "-5" }, undefined],
    ["of ages", { "retry-after": "9".repeat(400) }, Number.MAX_SAFE_INTEGER],
  ])("of 429 may be tried again after a time %s", async (_, headers, retryAfterMs) => {
    const { origin } = await serve((__, response) => {
      response.writeHead(429, headers);
      response.end();
    });
    expect(await failureOf(fetchLocal(origin))).toMatchObject({ retryable: true, retryAfterMs });
  });
});

describe("connections that fail", () => {
  it("may be tried again when nobody listens: nothing was sent", async () => {
    const server = await new Promise<ReturnType<typeof createServer>>((resolve) => {
      const listening = createServer().listen(0, "127.0.0.1", () => resolve(listening));
    });
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    await new Promise((resolve) => server.close(resolve));
    expect(await failureOf(fetchLocal(`http://127.0.0.1:${port}/`))).toMatchObject({
      code: "ECONNREFUSED",
      retryable: true,
      executed: "no",
      message: `The connection failed: "http://127.0.0.1:${port}/" (ECONNREFUSED).`,
    });
  });

  it("may be tried again when they break in the middle of a body, compressed or not", async () => {
    const { origin } = await serve((request, response) => {
      response.setHeader("content-type", "text/plain");
      if (request.url === "/gzip") response.setHeader("content-encoding", "gzip");
      response.write(
        request.url === "/gzip" ? gzipSync("x".repeat(1000)).subarray(0, 15) : "half",
        () => response.destroy(),
      );
    });
    for (const path of ["/plain", "/gzip"]) {
      expect(await failureOf(fetchLocal(origin + path))).toMatchObject({
        code: "ECONNRESET",
        retryable: true,
        executed: "unknown",
      });
    }
  });

  it("are not tried again for a damaged body, or for what is no HTTP or no TLS", async () => {
    const { origin, port } = await serve((_, response) => {
      response.setHeader("content-encoding", "gzip");
      response.end("this is no gzip");
    });
    expect(await failureOf(fetchLocal(origin))).toMatchObject({
      retryable: false,
      message: expect.stringContaining("The body of the answer is damaged"),
    });
    expect(await failureOf(fetchLocal(`https://127.0.0.1:${port}/`))).toMatchObject({
      retryable: false,
      message: expect.stringContaining("No secure connection could be made"),
    });
  });

  it("tell a name that does not exist from one that cannot be looked up now", async () => {
    const failing = (code: string) =>
      failureOf(
        fetchLocal("http://name.example/", {
          resolveHost: () => Promise.reject(Object.assign(new Error("lookup"), { code })),
        }),
      );
    expect(await failing("ENOTFOUND")).toMatchObject({
      retryable: false,
      message: expect.stringContaining("check its spelling"),
    });
    expect(await failing("EAI_AGAIN")).toMatchObject({ retryable: true, executed: "no" });
    expect(
      await failureOf(fetchLocal("http://name.example/", { resolveHost: async () => [] })),
    ).toMatchObject({ code: "ENOTFOUND" });
  });
});

describe("being told to stop", () => {
  it("before anything is sent, sends nothing", async () => {
    const server = await serve((_, response) => response.end("x"));
    const run = createToolContext();
    const reason = timeoutReason();
    run.abort(reason);
    const tool = createHttpFetchTool({ allowPrivate: true });
    await expect(tool.execute({ url: server.origin }, run.context)).rejects.toBe(reason);
    expect(server.requests).toEqual([]);
  });

  it.each(["/headers", "/body", "/gzip"])(
    "closes the connection at once while it waits for %s",
    async (path) => {
      const server = await serve((request, response) => {
        if (request.url === "/gzip") response.setHeader("content-encoding", "gzip");
        if (request.url !== "/headers") response.write(gzipSync("the beginning").subarray(0, 12));
      });
      const { result, abort } = start(server.origin + path, { allowPrivate: true });
      await until(() => server.requests.length === 1, "the request has arrived");
      const reason = timeoutReason();
      abort(reason);
      await expect(result).rejects.toBe(reason);
      await until(async () => (await server.openConnections()) === 0, "the connection is closed");
    },
  );

  it("does not wait for a name to be looked up", async () => {
    const { result, abort } = start("http://name.example/", {
      resolveHost: () => new Promise(() => undefined),
    });
    const reason = timeoutReason();
    abort(reason);
    await expect(result).rejects.toBe(reason);
  });
});

describe("what the http_fetch tool refuses", () => {
  it.each([
    ["not a url", "invalid_url"],
    ["/relative", "invalid_url"],
    ["ftp://example.com/", "invalid_url"],
    ["file:///etc/passwd", "invalid_url"],
    ["data:text/plain,hello", "invalid_url"],
    ["javascript:alert(1)", "invalid_url"],
    ["https://user@example.com/", "credentials_refused"],
    ["https://user:s3cret@example.com/", "credentials_refused"],
    ["ftp://user:s3cret@example.com/", "credentials_refused"],
    ["https://user:s3cret@[", "invalid_url"],
    ["https:\\\\user:s3cret@[", "invalid_url"],
    ["//user:s3cret@example.com/", "invalid_url"],
  ])("is %s", async (url, code) => {
    const error = await failureOf(start(url).result);
    expect(error).toMatchObject({ code, executed: "no", retryable: false });
    expect(error.message).not.toContain("s3cret");
  });

  it.each([
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "http://017700000001/",
    "http://127.0.0.1./",
    "http://１２７.０.０.１/",
    "http://%31%32%37.0.0.1/",
    "http://0/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[0:0:0:0:0:ffff:10.0.0.1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[fe80::1]/",
    "http://169.254.169.254/latest/meta-data/",
    "https://10.0.0.1:8443/",
  ])("is the address %s, however it is written", async (url) => {
    // Nothing may even be looked up.
    const resolveHost = () => Promise.reject(new Error("It was looked up."));
    expect(await failureOf(start(url, { resolveHost }).result)).toMatchObject({
      code: "address_refused",
      executed: "no",
    });
  });

  it("is localhost, and does not tell the address of a name inside", async () => {
    expect(await failureOf(start("http://localhost/").result)).toMatchObject({
      code: "address_refused",
    });
    const resolveHost = async () => [{ address: "10.1.2.3", family: 4 }];
    const error = await failureOf(start("http://intranet.example/", { resolveHost }).result);
    expect(error).toMatchObject({ code: "address_refused", executed: "no", retryable: false });
    expect(error.message).toContain('"intranet.example"');
    expect(error.message).not.toContain("10.1.2.3");
  });

  it("is a name with one public and one private address", async () => {
    const resolveHost = async () => [
      { address: "8.8.8.8", family: 4 },
      { address: "::ffff:127.0.0.1", family: 6 },
    ];
    expect(await failureOf(start("http://both.example/", { resolveHost }).result)).toMatchObject({
      code: "address_refused",
    });
  });

  it.each(["http://inside.example/", "http://127.0.0.1/", "http://[::ffff:127.0.0.1]/"])(
    "is a redirect from a host that may be reached to %s, which may not",
    async (location) => {
      const server = await serve((_, response) => {
        response.writeHead(302, { location });
        response.end();
      });
      const guarded = createGuardedLookup(
        async () => [{ address: "192.168.0.1", family: 4 }],
        () => false,
      );
      const result = getFollowing(`http://outside.example:${server.port}/`, {
        mayBePrivate: () => false,
        maxRedirects: 5,
        signal: new AbortController().signal,
        // Stands for a public host: the server of this test, which is none.
        lookup: (hostname, options, callback) =>
          hostname === "outside.example"
            ? callback(null, [{ address: "127.0.0.1", family: 4 }])
            : guarded(hostname, options, callback),
      });
      expect(await failureOf(result)).toMatchObject({ code: "address_refused" });
      expect(server.requests).toEqual(["/"]);
    },
  );
});

describe("a list of hosts that may be private", () => {
  const resolveHost = async () => [{ address: "127.0.0.1", family: 4 }];

  it("lets those be reached, by name or by address, and no others", async () => {
    const { port, requests } = await serve((_, response) => response.end("reached"));
    const fetchListed = (host: string) =>
      start(`http://${host}:${port}/`, {
        allowPrivate: ["wiki.example", "127.0.0.1"],
        resolveHost,
      }).result;
    expect(await fetchListed("wiki.example")).toMatchObject({ output: "reached" });
    expect(await fetchListed("127.0.0.1")).toMatchObject({ output: "reached" });
    for (const other of ["other.example", "a.wiki.example", "127.0.0.2", "[::1]"]) {
      expect(await failureOf(fetchListed(other))).toMatchObject({ code: "address_refused" });
    }
    expect(requests).toHaveLength(2);
  });

  it("does not let one of them redirect to one that is not listed", async () => {
    const { port, requests } = await serve((_, response) => {
      response.writeHead(302, { location: `http://other.example:${port}/` });
      response.end();
    });
    const { result } = start(`http://wiki.example:${port}/`, {
      allowPrivate: ["wiki.example"],
      resolveHost,
    });
    expect(await failureOf(result)).toMatchObject({ code: "address_refused" });
    expect(requests).toEqual(["/"]);
  });
});

describe("the addresses of a name", () => {
  it("are looked up once a request: no second answer is asked for that could differ (DNS rebinding)", async () => {
    const server = await serve((_, response) => response.end("reached"));
    let lookups = 0;
    const resolveHost = async () => {
      lookups += 1;
      return [{ address: "127.0.0.1", family: 4 }];
    };
    const { output } = await fetchLocal(`http://rebind.example:${server.port}/`, { resolveHost });
    expect(output).toBe("reached");
    expect(lookups).toBe(1);
  });
});
