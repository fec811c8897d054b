import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallRecord } from "../../machines/index.ts";
import { createRecordingSink, readRecording } from "../../src/trace/index.ts";
import { toHeaderLine } from "../../src/trace/recording-format.ts";
import { LATE, manyRecords, RECORDS } from "../support/records.ts";

let folder = "";
let files = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "callchart-recording-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

function newFile(): string {
  files += 1;
  return join(folder, `${files}.jsonl`);
}

const TRACE = join(import.meta.dirname, "../../src/trace/index.ts");
/** Lifts a limit of a running process; part of util-linux. */
const PRLIMIT = "/usr/bin/prlimit";
const HEADER = toHeaderLine(7);
const CALL = RECORDS.succeeded;
const text = (...lines: readonly unknown[]): string =>
  HEADER +
  lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");

describe("A recording", () => {
  it("holds what was written, in order, and says what it is", async () => {
    const file = newFile();
    const sink = createRecordingSink({ file });
    const records = manyRecords(200);
    const writes = records.map((record) => sink.write(record));
    await sink.write(LATE);
    await sink.flush();
    const written = await readFile(file, "utf8");
    expect(JSON.parse(written.split("\n", 1)[0] ?? "")).toEqual({
      type: "recording",
      format: "callchart.recording",
      version: 1,
      createdAt: expect.any(Number),
    });
    const recording = readRecording(written);
    expect(recording).toMatchObject({ records, lates: [LATE], problems: [] });
    await Promise.all(writes);
    await sink.close();
  });

  it("is readable by its owner only, and its folder is made", async () => {
    const file = join(folder, "a", "b", "run.jsonl");
    await createRecordingSink({ file }).close();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("is continued, not begun anew", async () => {
    const file = newFile();
    for (const record of [RECORDS.succeeded, RECORDS.denied]) {
      const sink = createRecordingSink({ file });
      await sink.write(record);
      await sink.close();
    }
    const written = await readFile(file, "utf8");
    expect(written.match(/callchart\.recording/g)).toHaveLength(1);
    expect(readRecording(written).records).toEqual([RECORDS.succeeded, RECORDS.denied]);
  });

  it("is continued behind half a line that a killed process left", async () => {
    const file = newFile();
    await writeFile(file, `${HEADER}{"type":"call","vers`);
    const sink = createRecordingSink({ file });
    await sink.write(CALL);
    await sink.close();
    const { records, problems } = readRecording(await readFile(file, "utf8"));
    expect(records).toEqual([CALL]);
    expect(problems).toEqual(["line 2: it is not whole (the writer may have been killed)"]);
  });

  it.each([
    ["something else", "hello\n", "its first line is not JSON"],
    ["other JSON lines", '{"a":1}\n', "its first line names no format"],
    ["another format", '{"format":"har"}\n', 'its format is "har"'],
    [
      "a later version",
      HEADER.replace('"version":1', '"version":2'),
      "a recording of version 2; this is made for version 1",
    ],
  ])("is never written behind %s, which stays as it is", async (_, content, why) => {
    const file = newFile();
    await writeFile(file, content);
    expect(() => createRecordingSink({ file })).toThrow(`${file} cannot be continued: `);
    expect(() => createRecordingSink({ file })).toThrow(why);
    expect(await readFile(file, "utf8")).toBe(content);
  });

  it("is never written to what is no file", () => {
    expect(() => createRecordingSink({ file: folder })).toThrow(folder);
    expect(() => createRecordingSink({ file: "/dev/null" })).toThrow(
      "/dev/null cannot be continued: it is not a file",
    );
  });

  it("takes nothing once it is closed, and can be closed twice", async () => {
    const file = newFile();
    const sink = createRecordingSink({ file });
    const last = sink.write(CALL);
    await Promise.all([sink.close(), sink.close()]);
    await last;
    await expect(sink.write(CALL)).rejects.toThrow(`The recording ${file} is closed.`);
    expect(readRecording(await readFile(file, "utf8")).records).toHaveLength(1);
  });

  it("refuses what a slow disk leaves no room for, says so, and goes on", async () => {
    const file = newFile();
    const size = JSON.stringify(CALL).length + 1;
    const sink = createRecordingSink({ file, maxWaitingBytes: 2 * size });
    const writes = await Promise.allSettled([1, 2, 3, 4].map(() => sink.write(CALL)));
    expect(writes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    expect(writes[2]).toMatchObject({
      reason: { message: expect.stringContaining(`lags behind by ${2 * size} bytes`) },
    });
    await sink.write(CALL);
    await sink.close();
    expect(readRecording(await readFile(file, "utf8"))).toMatchObject({
      records: { length: 3 },
      problems: [],
    });
  });

  it.skipIf(!existsSync(PRLIMIT))(
    "tells of a write that failed, and spoils no later line",
    async () => {
      const file = newFile();
      const module = join(folder, "full.ts");
      await writeFile(
        module,
        `
      import { execFileSync } from "node:child_process";
      import { createRecordingSink } from ${JSON.stringify(TRACE)};
      const [, , file, record] = process.argv;
      const sink = createRecordingSink({ file });
      const write = (more) => sink.write({ ...JSON.parse(record), ...more }).then(() => "written", ({ code }) => code);
      const answers = [await write(), await write({ x: "x".repeat(100_000) }), await write()];
      execFileSync(${JSON.stringify(PRLIMIT)}, ["--pid", String(process.pid), "--fsize=unlimited"]);
      answers.push(await write());
      await sink.close();
      process.send(answers);
    `,
      );
      // A limit on the size of files is a disk that is full; only a soft one can be lifted.
      const shell = fork(module, [file, JSON.stringify(CALL)], {
        execPath: "/bin/sh",
        execArgv: ["-c", `trap '' XFSZ; ulimit -S -f 8; exec ${process.execPath} "$0" "$@"`],
      });
      const [answers] = await once(shell, "message");
      expect(answers).toEqual(["written", "EFBIG", "EFBIG", "written"]);
      const { records, problems } = readRecording(await readFile(file, "utf8"));
      expect(records).toEqual([CALL, CALL]);
      expect(problems).toEqual(["line 3: it is not whole (the writer may have been killed)"]);
    },
  );

  it("has whole lines also when two processes write it", async () => {
    const file = newFile();
    const program = `
      import { createRecordingSink } from ${JSON.stringify(TRACE)};
      const [, , file, record] = process.argv;
      process.send("ready");
      process.once("message", async () => {
        const sink = createRecordingSink({ file });
        await Promise.all(Array.from({ length: 300 }, () => sink.write(JSON.parse(record))));
        await sink.close();
        process.disconnect();
      });
    `;
    const module = join(folder, "writer.ts");
    await writeFile(module, program);
    const large: CallRecord = { ...CALL, arguments: { text: "x".repeat(20_000) } };
    const writers = [CALL, large].map((record) => fork(module, [file, JSON.stringify(record)]));
    await Promise.all(writers.map((writer) => once(writer, "message")));
    for (const writer of writers) writer.send("go");
    await Promise.all(writers.map(untilExit));
    const { records, problems } = readRecording(await readFile(file, "utf8"));
    expect(problems).toEqual([]);
    expect(records).toHaveLength(600);
    expect(records.filter(({ arguments: args }) => args === undefined)).toHaveLength(300);
  });

  it("that may not be opened is told when the sink is made", async () => {
    const file = newFile();
    await writeFile(file, HEADER);
    await chmod(file, 0o400);
    const isRoot = process.getuid?.() === 0;
    const blocked = isRoot ? join(file, "below-a-file.jsonl") : file;
    expect(() => createRecordingSink({ file: blocked })).toThrow(/EACCES|ENOTDIR|EEXIST/);
  });
});

async function untilExit(writer: ChildProcess): Promise<void> {
  const [code] = await once(writer, "exit");
  expect(code).toBe(0);
}

describe("Reading a recording", () => {
  it("passes over what is no record, and names the lines", () => {
    const { records, lates, problems } = readRecording(
      text(
        "",
        CALL,
        "{",
        [1],
        "4",
        { ...CALL, version: 2 },
        { type: "span", version: 1 },
        LATE,
        '{"type":"ca',
      ),
    );
    expect(records).toEqual([CALL]);
    expect(lates).toEqual([LATE]);
    expect(problems).toEqual([
      "line 4: it is not whole (the writer may have been killed)",
      "line 5: it is not a record",
      "line 6: it is not a record",
      "line 7: it is a record of version 2",
      'line 8: it is not a call or a late outcome (its type is "span")',
      "line 10: it is not whole (the writer may have been killed)",
    ]);
  });

  it("keeps fields that it does not know, and takes new names of states", () => {
    const record = {
      ...CALL,
      extra: { a: 1 },
      result: {
        ...CALL.result,
        metadata: {
          ...CALL.result.metadata,
          trace: [{ state: "sandboxing", enteredAt: 0, event: "x.y", attempt: 0, z: 1 }],
        },
      },
    };
    expect(readRecording(text(record))).toMatchObject({ records: [record], problems: [] });
  });

  it("reads lines that end as on Windows, and a byte order mark", () => {
    const windows = `\ufeff${text(CALL).replaceAll("\n", "\r\n")}`;
    expect(readRecording(windows)).toMatchObject({ records: [CALL], problems: [] });
  });

  it("reads recordings that were joined", () => {
    expect(readRecording(text(CALL) + text(RECORDS.denied))).toMatchObject({
      header: { createdAt: 7 },
      records: [CALL, RECORDS.denied],
      problems: [],
    });
  });

  it.each([
    ["", "its first line is not JSON"],
    ['{"type":"call"}', "its first line names no format"],
    [HEADER.replace('"version":1', '"version":9'), "version 9; this is made for version 1"],
    [
      HEADER.replace('"version":1', `"version":"${"9".repeat(1000)}"`),
      "9…; this is made for version 1",
    ],
  ])("refuses what is none of this version: %j", (content, why) => {
    expect(() => readRecording(content)).toThrow(why);
  });

  const { result } = CALL;
  const { metadata } = result;
  it.each<[lacks: string, record: object]>([
    ["its call's arguments", { ...CALL, call: { id: "a", name: "b" } }],
    ["its result", { ...CALL, result: null }],
    ["a text as output", { ...CALL, result: { ...result, output: {} } }],
    ["a failure, though it failed", { ...CALL, result: { ...result, success: false } }],
    ["a whole failure", { ...CALL, result: { ...result, success: false, failure: { code: "x" } } }],
    [
      "stages that are texts",
      { ...CALL, result: { ...result, metadata: { ...metadata, stages: [1] } } },
    ],
    [
      "a time in a step",
      {
        ...CALL,
        result: {
          ...result,
          metadata: { ...metadata, trace: [{ state: "a", event: "b", attempt: 1 }] },
        },
      },
    ],
    [
      "timings that are numbers",
      { ...CALL, result: { ...result, metadata: { ...metadata, timings: { queued: "1" } } } },
    ],
    [
      "an object of the tool's metadata",
      { ...CALL, result: { ...result, metadata: { ...metadata, tool: "x" } } },
    ],
    ["an outcome's status", { ...LATE, outcome: {} }],
    ["an error in the outcome", { ...LATE, outcome: { status: "threw" } }],
  ])("passes over a record that lacks %s", (_, record) => {
    const { records, lates, problems } = readRecording(text(record));
    expect([...records, ...lates]).toEqual([]);
    expect(problems).toEqual([
      expect.stringMatching(/^line 2: it is a (call|late) record that lacks what it must have$/),
    ]);
  });

  it("never sets a prototype, and keeps such keys as data", () => {
    const line = JSON.stringify(CALL).replace(
      '"arguments":{',
      '"arguments":{"__proto__":{"polluted":true},',
    );
    const [record] = readRecording(text(line)).records;
    expect(JSON.stringify(record?.call.arguments)).toContain('"__proto__":{"polluted":true}');
    expect(Object.getPrototypeOf(record?.call.arguments)).toBe(Object.prototype);
  });

  it("bounds the depth, and says so", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const line = JSON.stringify(CALL).replace('"arguments":{', `"arguments":{"deep":${deep},`);
    const { records, problems } = readRecording(text(line));
    expect(JSON.stringify(records[0]).length).toBeLessThan(5_000);
    expect(problems).toEqual([
      expect.stringMatching(/^line 2: \/call\/arguments\/deep.* levels deep was left out$/),
    ]);
  });

  it("lists no more than a hundred problems", () => {
    const { problems } = readRecording(text(...Array.from({ length: 150 }, () => "x")));
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)).toBe("and 50 more problems");
  });
});
