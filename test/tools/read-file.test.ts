import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ToolError, type ToolOutput } from "../../src/tool.ts";
import { createReadFileTool } from "../../tools/read-file.ts";
import { compileInput, itIsAReadyMadeTool } from "../support/tool-conformance.ts";
import { createToolContext, timeoutReason } from "../support/tool-context.ts";

let base: string;
let root: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "read-file-"));
  root = join(base, "root");
  mkdirSync(root);
  writeFileSync(join(base, "secret.txt"), "the secret");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const write = (path: string, content: string | Uint8Array) =>
  writeFileSync(join(root, path), content);
const read = (path: string, range = {}, maxBytes?: number): Promise<ToolOutput> => {
  const tool = createReadFileTool({ root, ...(maxBytes === undefined ? {} : { maxBytes }) });
  return tool.execute({ path, ...range }, createToolContext().context) as Promise<ToolOutput>;
};
const failure = async (path: string, range = {}): Promise<ToolError> => {
  const error: unknown = await read(path, range).then(
    (value) => value,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ToolError)) throw new Error(`No failure, but ${JSON.stringify(error)}`);
  // Whatever went wrong: nothing tells where this machine keeps its files.
  expect(JSON.stringify({ ...error, message: error.message, cause: error.cause })).not.toContain(
    base,
  );
  return error;
};

describe("the read_file tool", () => {
  const tool = createReadFileTool({ root: "." });
  itIsAReadyMadeTool(tool, "read_file");

  it("accepts a path and a range of lines", () => {
    const accepts = compileInput(tool);
    expect(accepts({ path: "a.txt" })).toBe(true);
    expect(accepts({ path: "a.txt", offset: 1, limit: 10 })).toBe(true);
    expect(accepts({ path: "" })).toBe(false);
    expect(accepts({ path: "a.txt", offset: 0 })).toBe(false);
    expect(accepts({ path: "a.txt", limit: 1.5 })).toBe(false);
  });

  it("cannot be made without a folder or with a senseless bound", () => {
    expect(() => createReadFileTool({ root: "" })).toThrow(TypeError);
    expect(() => createReadFileTool({ root: ".", maxBytes: 3 })).toThrow(TypeError);
  });
});

describe("reading a text file", () => {
  it("gives its text as it is, and the facts apart", async () => {
    write("a.txt", "one\r\ntwo\n\nfour ä€😀");
    expect(await read("a.txt")).toEqual({
      output: "one\r\ntwo\n\nfour ä€😀",
      metadata: { bytes: 24, firstLine: 1, lines: 4, totalLines: 4, cut: false },
    });
  });

  it("says that an empty file is empty", async () => {
    write("empty.txt", "");
    expect(await read("empty.txt")).toMatchObject({
      output: "[The file is empty.]",
      metadata: { totalLines: 0 },
    });
  });

  it("gives the lines asked for and tells where to go on", async () => {
    write("a.txt", "1\n2\n3\n4\n5\n");
    expect(await read("a.txt", { offset: 2, limit: 2 })).toMatchObject({
      output: "2\n3\n[There are more lines: go on with offset 4.]",
      metadata: { firstLine: 2, lines: 2, cut: true },
    });
    expect(await read("a.txt", { offset: 4, limit: 2 })).toMatchObject({
      output: "4\n5\n",
      metadata: { totalLines: 5, cut: false },
    });
  });

  it.each([1, 7, 1000, 4095, 4096, 70_000])(
    "gives every line once when it is read on from offset to offset (lines of %i characters)",
    async (width) => {
      const lines = Array.from({ length: 9 }, (_, n) => String(n).repeat(width));
      write("a.txt", lines.join("\n"));
      const seen: string[] = [];
      for (let offset = 1; offset <= 9; offset += 2) {
        const { output = "" } = await read("a.txt", { offset, limit: 2 }, 1_000_000);
        seen.push(
          ...output
            .replace(/\[.*\]$/, "")
            .split("\n")
            .filter((line) => line !== ""),
        );
      }
      expect(seen).toEqual(lines);
    },
  );

  it("says how many lines there are when asked for one beyond them", async () => {
    write("a.txt", "1\n2\n");
    expect(await failure("a.txt", { offset: 3 })).toMatchObject({
      code: "past_end",
      message: '"a.txt" has 2 lines; there is no line 3. Give an offset from 1 to 2.',
    });
  });

  it("cuts at its bound and tells with which line to go on", async () => {
    write("a.txt", "first\nsecond\nthird\n");
    expect(await read("a.txt", {}, 10)).toMatchObject({
      output: "first\nseco\n[Cut after 10 bytes: go on with offset 2.]",
      metadata: { cut: true },
    });
    expect((await read("a.txt", {}, 13)).output).toBe(
      "first\nsecond\n[Cut after 13 bytes: go on with offset 3.]",
    );
  });

  it("never cuts inside a character", async () => {
    write("a.txt", "😀😀😀");
    expect((await read("a.txt", {}, 10)).output).toBe(
      "😀😀\n[Cut after 8 bytes in line 1, which is longer than one call returns; its rest cannot be read. Go on with offset 2.]",
    );
  });

  it("shows text that is not quite UTF-8 with marks, and drops a byte order mark", async () => {
    write("latin1.txt", Buffer.from("caf\u00e9 and more text", "latin1"));
    expect((await read("latin1.txt")).output).toBe("caf\uFFFD and more text");
    write("bom.txt", "\uFEFFtext");
    expect((await read("bom.txt")).output).toBe("text");
  });

  it("reads below the folder through links that stay in it", async () => {
    mkdirSync(join(root, "deep"));
    write("deep/a.txt", "found");
    symlinkSync("deep", join(root, "folder-link"));
    symlinkSync(join(root, "deep", "a.txt"), join(root, "file-link"));
    expect((await read("folder-link/a.txt")).output).toBe("found");
    expect((await read("file-link")).output).toBe("found");
    expect((await read("deep/../deep/./a.txt")).output).toBe("found");
  });

  it("takes a root that is itself a link", async () => {
    symlinkSync(root, join(base, "root-link"));
    write("a.txt", "found");
    const tool = createReadFileTool({ root: join(base, "root-link") });
    expect(await tool.execute({ path: "a.txt" }, createToolContext().context)).toMatchObject({
      output: "found",
    });
  });

  it("takes names that look odd but are names", async () => {
    for (const name of ["..a", "...", "a b", "-rf", "ä€😀", "C:\\x"]) {
      write(name, name);
      expect((await read(name)).output).toBe(name);
    }
  });
});

describe("reading a file that is no text", () => {
  const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => (index * 7919) % 256);
  const sha256 = createHash("sha256").update(bytes).digest("hex");

  it("gives size and SHA-256", async () => {
    write("a.bin", bytes);
    expect(await read("a.bin")).toEqual({
      output: `[No text: 200000 bytes, SHA-256 ${sha256}.]`,
      structured: { binary: true, bytes: 200_000, sha256 },
    });
  });

  it("notices it without a NUL byte too, and when it begins like text", async () => {
    write(
      "no-nul.bin",
      bytes.map((byte) => byte || 1),
    );
    expect((await read("no-nul.bin")).structured).toMatchObject({ binary: true });
    write("late.bin", `${"text\n".repeat(4000)}\u0000`);
    expect((await read("late.bin", { limit: 10_000 })).structured).toMatchObject({ binary: true });
  });
});

describe("what the read_file tool refuses", () => {
  it.each(["../secret.txt", "a/../../secret.txt", "/etc/passwd", "..", "../root-of-another/x"])(
    "refuses %s, which leads out of the folder by its name",
    async (path) => {
      expect(await failure(path)).toMatchObject({
        code: "outside_root",
        executed: "no",
        message: expect.stringContaining("relative to that folder"),
      });
    },
  );

  it("refuses links that lead out, of files and of folders, and chains of them", async () => {
    symlinkSync(join(base, "secret.txt"), join(root, "file-link"));
    symlinkSync("..", join(root, "folder-link"));
    symlinkSync("folder-link", join(root, "chain"));
    for (const path of [
      "file-link",
      "folder-link/secret.txt",
      "chain/secret.txt",
      "folder-link/root/../secret.txt",
    ]) {
      expect(await failure(path)).toMatchObject({ code: "not_found" });
    }
  });

  it("says the same of a link to something outside whether it is there or not", async () => {
    symlinkSync(join(base, "secret.txt"), join(root, "link"));
    const present = await failure("link");
    rmSync(join(base, "secret.txt"));
    const absent = await failure("link");
    expect({ ...absent, message: absent.message }).toEqual({
      ...present,
      message: present.message,
    });
  });

  it("is not fooled by a sibling folder whose name begins alike", async () => {
    mkdirSync(join(base, "root-2"));
    writeFileSync(join(base, "root-2", "a.txt"), "the secret");
    symlinkSync(join(base, "root-2"), join(root, "link"));
    expect(await failure("link/a.txt")).toMatchObject({ code: "not_found" });
  });

  it("names the path as it was given when there is no such file", async () => {
    expect(await failure("nope/a.txt")).toMatchObject({
      code: "not_found",
      message:
        'There is no file "nope/a.txt" in the folder of this tool (a link that leads out of it counts as none).',
    });
    write("file", "");
    expect(await failure("file/below")).toMatchObject({ code: "not_found" });
    symlinkSync("loop", join(root, "loop"));
    expect(await failure("loop")).toMatchObject({ code: "not_found" });
    expect(await failure("x".repeat(4000))).toMatchObject({ code: "not_found" });
  });

  it("refuses a path with a NUL character", async () => {
    expect(await failure("a\u0000.txt")).toMatchObject({
      code: "invalid_path",
      executed: "no",
    });
  });

  it("refuses folders, with a word on what would be right", async () => {
    mkdirSync(join(root, "folder"));
    expect(await failure("folder")).toMatchObject({
      code: "is_folder",
      message: '"folder" is a folder. Give the path of a regular file.',
    });
    expect(await failure(".")).toMatchObject({ code: "is_folder" });
  });

  it("refuses pipes without waiting for a writer", async () => {
    execFileSync("mkfifo", [join(root, "fifo")]);
    expect(await failure("fifo")).toMatchObject({ code: "not_a_file" });
  });

  it("refuses sockets and devices", async () => {
    const server = createServer().listen(join(root, "socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    expect(await failure("socket")).toMatchObject({ code: "not_a_file" });
    server.close();
    const devices = createReadFileTool({ root: "/dev" });
    const { context } = createToolContext();
    await expect(devices.execute({ path: "zero" }, context)).rejects.toMatchObject({
      code: "not_a_file",
    });
  });

  it("says so without a path when the folder itself is gone", async () => {
    renameSync(root, join(base, "moved"));
    expect(await failure("a.txt")).toMatchObject({
      message: "The folder of this tool cannot be read.",
      executed: "no",
    });
  });

  it("never gives away a file outside while somebody swaps a folder for a link", async () => {
    mkdirSync(join(root, "folder"));
    write("folder/secret.txt", "harmless");
    symlinkSync(base, join(root, "link"));
    const toLink = () => {
      renameSync(join(root, "folder"), join(root, "aside"));
      renameSync(join(root, "link"), join(root, "folder"));
    };
    const toFolder = () => {
      renameSync(join(root, "folder"), join(root, "link"));
      renameSync(join(root, "aside"), join(root, "folder"));
    };
    let reading = true;
    const swap = async () => {
      for (let turn = 0; reading; turn += 1) {
        (turn % 2 === 0 ? toLink : toFolder)();
        // Not in step with the reads.
        for (let tick = 0; tick < 1 + (turn % 7); tick += 1) await nextTurn();
      }
    };
    const swapping = swap();
    const seen = new Set<string>();
    for (let round = 0; round < 500; round += 1) {
      await read("folder/secret.txt").then(
        ({ output = "" }) => seen.add(output),
        (error: ToolError) => seen.add(String(error.code)),
      );
    }
    reading = false;
    await swapping;
    expect(seen).not.toContain("the secret");
    expect(seen).toContain("harmless");
    expect(seen).toContain("not_found");
  });

  it("stops when it is told to, before and while it reads", async () => {
    write("a.txt", "line\n".repeat(2_000_000));
    const reason = timeoutReason();
    const before = createToolContext();
    before.abort(reason);
    const tool = createReadFileTool({ root });
    await expect(tool.execute({ path: "a.txt" }, before.context)).rejects.toBe(reason);

    const during = createToolContext();
    const result = tool.execute({ path: "a.txt", offset: 1_999_999 }, during.context);
    during.abort(reason);
    await expect(result).rejects.toBe(reason);
  });
});
