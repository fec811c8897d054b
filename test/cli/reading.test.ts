import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CallLine, readCalls, toCallLine } from "../../src/cli/read-calls.ts";
import { type Line, MAX_LINE_BYTES, readLines } from "../../src/cli/read-lines.ts";

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const linesOf = (...chunks: (string | Buffer)[]): AsyncGenerator<Line> =>
  readLines(
    Readable.from(
      chunks.map((chunk) => Buffer.from(chunk)),
      { objectMode: true },
    ),
  );

const callsOf = (text: string): Promise<CallLine[]> => collect(readCalls(linesOf(text)));

describe("lines", () => {
  it("keep their numbers when blank lines are left out", async () => {
    expect(await collect(linesOf("a\n\n  \r\nb\r\nc"))).toEqual([
      { number: 1, text: "a" },
      { number: 4, text: "b" },
      { number: 5, text: "c" },
    ]);
  });

  it("are the same however the bytes are cut into chunks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme" }),
        fc.integer({ min: 1, max: 7 }),
        async (text, size) => {
          const bytes = Buffer.from(`x\n${text}\ny`);
          const chunks: Buffer[] = [];
          for (let at = 0; at < bytes.length; at += size)
            chunks.push(bytes.subarray(at, at + size));
          expect(await collect(linesOf(...chunks))).toEqual(await collect(linesOf(bytes)));
        },
      ),
    );
  });

  it("may begin with a byte order mark", async () => {
    expect(await collect(linesOf("\ufeff{}"))).toEqual([{ number: 1, text: "{}" }]);
  });

  it.each([
    ["is not UTF-8 text", Buffer.from([0x61, 0xff, 0x62])],
    ["is binary, not text", Buffer.from([0x61, 0x00, 0x62])],
    ["is UTF-16; save it as UTF-8", Buffer.from("\ufeff{}", "utf16le")],
  ])("that cannot be text say so: %s", async (problem, bytes) => {
    expect(await collect(linesOf(Buffer.concat([bytes])))).toEqual([{ number: 1, problem }]);
  });

  it("are unusable when the disk cannot be read", async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from("a\n");
      throw new Error("EIO");
    }
    await expect(collect(readLines(broken()))).rejects.toThrow("the input cannot be read: EIO");
  });

  it("that are too long cost no memory and spare their neighbours", async () => {
    const long = Buffer.alloc(1024 * 1024, "x");
    const chunks = Array.from({ length: MAX_LINE_BYTES / long.length + 1 }, () => long);
    expect(await collect(linesOf("a\n", ...chunks, "\nb\n"))).toEqual([
      { number: 1, text: "a" },
      { number: 2, problem: "is longer than 32 MiB" },
      { number: 3, text: "b" },
    ]);
  });
});

describe("calls", () => {
  it("are objects with a name; id, context, answers and cancelling are optional", async () => {
    const [plain, full] = await callsOf(
      '{"name":"divide","arguments":{"a":1}}\n' +
        '{"id":"c2","name":"x","arguments":"{}","context":{"user":"u"},"approval":"deny","cancelAfterMs":5}',
    );
    expect(plain).toEqual({
      line: 1,
      id: "line-1",
      call: { id: "line-1", name: "divide", arguments: { a: 1 } },
    });
    expect(full).toEqual({
      line: 2,
      id: "c2",
      call: { id: "c2", name: "x", arguments: "{}" },
      context: { user: "u" },
      approval: "deny",
      cancelAfterMs: 5,
    });
  });

  it("may have OpenAI's form", async () => {
    const text =
      '{"id":"call_1","type":"function","function":{"name":"f","arguments":"{\\"a\\":1}"}}';
    expect((await callsOf(text))[0]?.call).toEqual({
      id: "call_1",
      name: "f",
      arguments: '{"a":1}',
    });
  });

  it.each([
    ["{", "Line 2 is not JSON ("],
    ["[1]", "Line 2 is an array, not an object with a name."],
    ["null", "Line 2 is null, not an object with a name."],
    ['{"id":"x","tool_name":"f"}', "Line 2 has no name (its keys: id, tool_name)."],
    ['{"name":""}', "Line 2 has no name (its keys: name)."],
    ['{"__proto__":{"name":"f"}}', "Line 2 has no name (its keys: __proto__)."],
    ['{"name":"f","id":7}', "Line 2 has an id that is no text."],
    ['{"name":"f","context":[]}', "Line 2 has a context that is an array, not an object."],
    ['{"name":"f","approval":"yes"}', "Line 2 has an approval that is none of"],
    ['{"name":"f","cancelAfterMs":-1}', "Line 2 has a cancelAfterMs that is not"],
    ['{"name":"f","cancelAfterMs":"5"}', "Line 2 has a cancelAfterMs that is not"],
  ])("that are none keep their place with what is wrong: %s", async (text, problem) => {
    const [first, second, third] = await callsOf(`{"name":"a"}\n${text}\n{"name":"b"}`);
    expect(first?.problem).toBeUndefined();
    expect(second?.problem).toContain(problem);
    expect(third?.call.name).toBe("b");
  });

  it("keep a bad first line in its place once a good one follows", async () => {
    const calls = await callsOf('oops\n{"name":"a"}');
    expect(calls.map(({ line, problem }) => [line, problem === undefined])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  it.each([
    ["", "there is no call in the input"],
    ["\n\n  \n", "there is no call in the input"],
    ["hello\nworld", "no line of the input is a call. Line 1 is not JSON"],
    ['[{"name":"a"}]', "One JSON object a line is wanted"],
    ['[\n  {\n    "name": "a"\n  }\n]', "One JSON object a line is wanted"],
  ])("are unusable when no line is one: %j", async (text, message) => {
    await expect(callsOf(text)).rejects.toThrow(message);
  });

  it("are given up after a thousand bad lines, so that a wrong file of any size is told at once", async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<Line> {
      for (;;) yield { number: ++read, text: "x" };
    }
    await expect(collect(readCalls(endless()))).rejects.toThrow("no line of the input is a call");
    expect(read).toBe(1001);
  });

  it("are total over any text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const call = toCallLine({ number: 1, text });
        expect(call.problem === undefined).toBe(call.call.name !== "");
        expect(call.id).not.toBe("");
      }),
    );
  });
});
