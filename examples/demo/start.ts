/**
 * `npm start`: realistic calls against real tools, good ones and each way of failing, run by the same code as
 * `callchart run`; then the recording as a page.
 */
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { relative } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { processIo, write } from "../../src/cli/io.ts";
import { program } from "../../src/cli/program.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const fromHere = (path: string): string => relative(process.cwd(), `${root}${path}`);
const recording = fromHere("recordings/demo.jsonl");
const page = fromHere("recordings/demo.html");

/** The address in the file of calls; the server takes whatever port is free. */
const WRITTEN_ADDRESS = "127.0.0.1:4780";

/** The part of the world that the calls ask over HTTP. */
async function startServer(): Promise<{ readonly server: Server; readonly address: string }> {
  const server = createServer((request, response) => {
    const isWeather = request.url === "/weather";
    response.writeHead(isWeather ? 200 : 404, { "content-type": "application/json" });
    response.end(
      JSON.stringify(isWeather ? { city: "Lisbon", celsius: 21 } : { error: "unknown" }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("the server has no port");
  return { server, address: `127.0.0.1:${bound.port}` };
}

const { server, address } = await startServer();
const written = await readFile(`${root}examples/demo/calls.jsonl`, "utf8");
const calls = written.replaceAll(WRITTEN_ADDRESS, address);
const io = { ...processIo(), stdin: Readable.from([calls]) };

await rm(recording, { force: true });
const tools = fromHere("examples/demo/tools.ts");
const code = await program(["run", "-", "--tools", tools, "--record", recording], io);
server.close();
if (code === 0) {
  await program(["view", recording, "--out", page], io);
  await write(io.stdout, `a call in words: npm run callchart -- explain ${recording} deaf\n`);
}
// A tool that is deaf to its signal may still hold the process; its call has its result.
process.exit(code);
