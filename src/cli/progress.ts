import type { LiveLine } from "./live-line.ts";
import { plural, toDuration, toOneLine } from "./printable.ts";

/** Keeps a live line true while calls run. */
export interface Progress {
  /** A call has begun; the returned function says that it has ended. */
  readonly begin: (toolName: string) => {
    readonly report: (data: unknown) => void;
    readonly end: () => void;
  };
  /** Takes the line away while `talk` writes or asks there; one at a time. */
  readonly aside: (talk: () => Promise<void>) => Promise<void>;
  readonly stop: () => void;
}

interface Running {
  readonly toolName: string;
  readonly since: number;
  note: string;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
const FRAME_MS = 100;

/** A {@link Progress} that draws on `live` ten times a second; `now` in ms. */
export function createProgress(
  live: LiveLine,
  now: () => number = () => performance.now(),
): Progress {
  const running = new Set<Running>();
  let done = 0;
  let frame = 0;
  let talking = 0;
  let last: Promise<void> = Promise.resolve();
  const draw = (): void => {
    if (talking > 0 || running.size === 0) return;
    frame += 1;
    live.show(`${FRAMES[frame % FRAMES.length] ?? ""} ${toProgressText(done, running, now())}`);
  };
  const timer = setInterval(draw, FRAME_MS);
  timer.unref();
  return {
    begin: (toolName) => {
      const call: Running = { toolName, since: now(), note: "" };
      running.add(call);
      return {
        report: (data) => {
          call.note = noteOf(data);
        },
        end: () => {
          running.delete(call);
          done += 1;
        },
      };
    },
    aside: (talk) => {
      talking += 1;
      const turn = last.then(() => {
        live.clear();
        return talk();
      });
      last = turn
        .catch(() => {})
        .then(() => {
          talking -= 1;
        });
      return turn;
    },
    stop: () => {
      clearInterval(timer);
      live.clear();
    },
  };
}

/** `7 done, 2 running: http-fetch 1.20 s (50 %), run-command 30 ms`, the longest running first. */
export function toProgressText(
  done: number,
  running: Iterable<{ readonly toolName: string; readonly since: number; readonly note: string }>,
  now: number,
): string {
  const calls = [...running];
  const names = calls.slice(0, 8).map(({ toolName, since, note }) => {
    const time = toDuration(now - since);
    return `${toOneLine(toolName)} ${time}${note === "" ? "" : ` (${note})`}`;
  });
  return `${plural(done, "call")} done, ${calls.length} running: ${names.join(", ")}`;
}

function noteOf(data: unknown): string {
  const text = typeof data === "string" ? data : (JSON.stringify(data) ?? "");
  return toOneLine(text.slice(0, 60));
}
