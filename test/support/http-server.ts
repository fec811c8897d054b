import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A server on a free loopback port that is closed, with all its connections, when the test ends. */
export interface TestServer {
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  readonly port: number;
  /** Paths that were asked for, in order. */
  readonly requests: readonly string[];
  /** Connections that are open now. */
  readonly openConnections: () => Promise<number>;
}

/** Starts a server within a test. */
export async function serve(listener: RequestListener): Promise<TestServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    openConnections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
  };
}
