import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import {
  type ApproveMode,
  createApprover,
  questionOf,
  toApproveMode,
} from "../../src/cli/approve.ts";
import { createOutput, type Io } from "../../src/cli/io.ts";
import type { PendingApproval } from "../../src/live-calls.ts";

interface Terminal extends Io {
  readonly type: (text: string) => void;
  readonly shown: () => string;
}

function terminal({ isTTY = true } = {}): Terminal {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 40 });
  return {
    stdin,
    stdout: createOutput(new PassThrough(), {}),
    stderr: createOutput(stderr, {}),
    live: false,
    cwd: "/",
    keepStdout: () => {},
    onInterrupt: () => () => {},
    type: (text) => stdin.write(text),
    shown: () => String(stderr.read() ?? ""),
  };
}

const request: PendingApproval = {
  executionId: "e1",
  callId: "c1",
  toolName: "run-command",
  arguments: { command: "rm", args: ["-rf", "build"] },
  reason: "the tool asks for a person's approval",
  expiresAt: Number.MAX_SAFE_INTEGER,
};

function setUp(mode: ApproveMode, refuseScripted = false) {
  const io = terminal();
  const answers: unknown[] = [];
  const answered = Promise.withResolvers<void>();
  const answer = (verb: string) => (id: string, options?: object) => {
    answers.push([verb, id, options]);
    answered.resolve();
    return { ok: true } as const;
  };
  const approver = createApprover({
    mode,
    refuseScripted,
    executor: { approve: answer("approve"), deny: answer("deny") },
    io,
    progress: { aside: (talk) => talk() },
  });
  return { io, answers, approver, answered: answered.promise };
}

const live = new AbortController().signal;

describe("who answers approvals", () => {
  it("is the person at the terminal, where there is one", () => {
    expect(toApproveMode(undefined, "calls.jsonl", terminal())).toBe("ask");
    expect(toApproveMode(undefined, "calls.jsonl", terminal({ isTTY: false }))).toBe("none");
  });

  it("is nobody when standard input carries the calls", () => {
    expect(toApproveMode(undefined, "-", terminal())).toBe("none");
    expect(() => toApproveMode("ask", "-", terminal())).toThrow("--approve ask needs a terminal");
  });

  it("is whoever the flag names", () => {
    expect(toApproveMode("all", "-", terminal({ isTTY: false }))).toBe("all");
    expect(toApproveMode("none", "calls.jsonl", terminal())).toBe("none");
  });
});

describe("an approval", () => {
  it("is granted to every call by --approve all", () => {
    const { approver, answers } = setUp("all");
    approver.answer(request, undefined, live);
    expect(answers).toEqual([["approve", "e1", { by: "--approve all" }]]);
  });

  it("is refused where nobody can be asked, with a reason that names the flag", () => {
    const { approver, answers } = setUp("none");
    approver.answer(request, undefined, live);
    expect(answers).toEqual([
      [
        "deny",
        "e1",
        {
          by: "--approve none",
          reason: expect.stringMatching(/nobody was there to ask.*--approve/),
        },
      ],
    ]);
  });

  it.each(["ask", "all", "none"] as const)(
    "under %s follows what the file of calls says",
    (mode) => {
      const { approver, answers } = setUp(mode);
      approver.answer(request, "ignore", live);
      expect(answers).toEqual([]);
      approver.answer(request, "approve", live);
      approver.answer(request, "deny", live);
      expect(answers).toEqual([
        ["approve", "e1", { by: "the file of calls" }],
        ["deny", "e1", { by: "the file of calls", reason: "the file of calls says deny" }],
      ]);
    },
  );

  it("cannot be granted by the file of calls when --approve none is explicit", () => {
    const { approver, answers } = setUp("none", true);
    approver.answer(request, "approve", live);
    expect(answers).toMatchObject([["deny", "e1", {}]]);
  });

  it.each([
    ["y\n", ["approve", "e1", { by: "the terminal" }]],
    ["YES\n", ["approve", "e1", { by: "the terminal" }]],
    ["\n", ["deny", "e1", { by: "the terminal" }]],
    ["n\n", ["deny", "e1", { by: "the terminal" }]],
    ["use trash instead\n", ["deny", "e1", { by: "the terminal", reason: "use trash instead" }]],
  ])("is what the person types: %j", async (typed, expected) => {
    const { approver, answers, answered, io } = setUp("ask");
    approver.answer(request, undefined, live);
    io.type(typed);
    await answered;
    expect(answers).toEqual([expected]);
    expect(io.shown()).toContain("run-command asks for approval (call c1)");
  });

  it("is not asked for when its call has ended meanwhile", () => {
    const { approver, io } = setUp("ask");
    approver.answer(request, undefined, AbortSignal.abort());
    expect(io.shown()).toBe("");
  });
});

describe("the question", () => {
  it("shows all of the arguments, wrapped rather than cut", () => {
    const command = `${"echo ".repeat(30)}THE-END`;
    const text = questionOf({ ...request, arguments: { command } }, 40);
    expect(text).toContain("THE-END");
    expect(
      Math.max(
        ...text
          .split("\n")
          .slice(2, -1)
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(40);
  });

  it("makes harmless what would move the cursor or reorder the text", () => {
    const text = questionOf({ ...request, arguments: { "a\u001b[2K": "\u202eevil\u0007" } }, 80);
    for (const obeyed of ["\u001b", "\u202e", "\u0007"]) expect(text).not.toContain(obeyed);
    expect(text).toContain("\\u{202e}evil");
  });

  it("says loudly when it cannot show everything", () => {
    const args = Array.from({ length: 500 }, (_, index) => index);
    expect(questionOf({ ...request, arguments: args }, 80)).toContain("NOT SHOWN: 302 more lines");
  });
});
