import { createInterface } from "node:readline/promises";
import wrapAnsi from "wrap-ansi";
import type { Executor } from "../executor.ts";
import type { PendingApproval } from "../live-calls.ts";
import { UnusableError } from "./exit.ts";
import type { Io } from "./io.ts";
import { plural, toDuration, toOneLine, toPrintable } from "./printable.ts";
import type { Progress } from "./progress.ts";
import type { ScriptedApproval } from "./read-calls.ts";

/** Who answers when a call needs an approval: a person at the terminal, everything yes, or everything no. */
export type ApproveMode = "ask" | "all" | "none";

/** Answers approvals. */
export interface Approver {
  /** Answers `request`; `scripted` is what the file of calls says itself. `signal`: the call has ended. */
  readonly answer: (
    request: PendingApproval,
    scripted: ScriptedApproval | undefined,
    signal: AbortSignal,
  ) => void;
}

export interface ApproverOptions {
  readonly mode: ApproveMode;
  /** `none` was asked for in so many words: then a file of calls cannot approve itself either. */
  readonly refuseScripted: boolean;
  readonly executor: Pick<Executor, "approve" | "deny">;
  readonly io: Io;
  readonly progress: Pick<Progress, "aside">;
}

/**
 * Who is to answer: what the flag says, else `ask` on a terminal and `none` elsewhere. Throws {@link UnusableError} for
 * `ask` where there is nobody.
 */
export function toApproveMode(flag: string | undefined, calls: string, io: Io): ApproveMode {
  const canAsk = io.stdin.isTTY === true && io.stderr.isTerminal && calls !== "-";
  if (flag === "all" || flag === "none") return flag;
  if (flag === "ask" && !canAsk) {
    throw new UnusableError(
      "--approve ask needs a terminal to ask on, and calls from a file rather than from standard input",
    );
  }
  return canAsk ? "ask" : "none";
}

/** An {@link Approver}; it asks one question at a time. */
export function createApprover(options: ApproverOptions): Approver {
  const { mode, refuseScripted, executor, progress } = options;
  const deny = (request: PendingApproval, reason: string, by: string): void => {
    executor.deny(request.executionId, { by, reason });
  };
  return {
    answer: (request, scripted, signal) => {
      if (scripted === "ignore") return;
      if (scripted === "deny") deny(request, "the file of calls says deny", "the file of calls");
      else if (scripted === "approve" && !refuseScripted) {
        executor.approve(request.executionId, { by: "the file of calls" });
      } else if (mode === "all") executor.approve(request.executionId, { by: "--approve all" });
      else if (mode === "none") deny(request, NOBODY, "--approve none");
      else void progress.aside(() => ask(request, signal, options));
    },
  };
}

const NOBODY =
  "nobody was there to ask; run it on a terminal with --approve ask, or with --approve all to approve every call";

async function ask(
  request: PendingApproval,
  signal: AbortSignal,
  { executor, io }: ApproverOptions,
): Promise<void> {
  if (signal.aborted) return;
  const lines = createInterface({ input: io.stdin, output: io.stderr.stream });
  const interrupted = new AbortController();
  lines.once("SIGINT", () => {
    interrupted.abort();
    process.kill(process.pid, "SIGINT");
  });
  try {
    const answer = await lines.question(questionOf(request, io.stderr.columns()), {
      signal: AbortSignal.any([signal, interrupted.signal]),
    });
    const text = answer.trim();
    if (/^y(es)?$/i.test(text)) executor.approve(request.executionId, { by: "the terminal" });
    else executor.deny(request.executionId, { by: "the terminal", ...denialOf(text) });
  } catch {
    // The call ended while its question stood there, or Ctrl-C: whatever ends it says so itself.
    io.stderr.stream.write("\n");
  } finally {
    lines.close();
  }
}

function denialOf(text: string): { reason?: string } {
  return text === "" || /^no?$/i.test(text) ? {} : { reason: text };
}

/**
 * What a person needs to decide, made harmless first. Arguments are wrapped, never cut at the width of the terminal: what
 * is approved must have been seen. What is left out beyond {@link MAX_LINES} is said in capitals.
 */
export function questionOf(request: PendingApproval, width: number): string {
  const json = JSON.stringify(request.arguments, null, 2);
  const lines = json
    .split("\n")
    .flatMap((line) =>
      wrapAnsi(toPrintable(line), width - 2, { hard: true, trim: false }).split("\n"),
    )
    .map((line) => `  ${line}`);
  const hidden = lines.length - MAX_LINES;
  const waitMs = Math.max(0, request.expiresAt - Date.now());
  return [
    `${toOneLine(request.toolName)} asks for approval (call ${toOneLine(request.callId)})`,
    ...(request.reason === undefined ? [] : [`  why: ${toOneLine(request.reason)}`]),
    ...lines.slice(0, MAX_LINES),
    ...(hidden > 0 ? [`  NOT SHOWN: ${plural(hidden, "more line")} of the arguments`] : []),
    `approve within ${toDuration(waitMs)}? [y = yes, Enter = no, other text = no, and why] `,
  ].join("\n");
}

/** Lines of arguments that a question shows. */
const MAX_LINES = 200;
