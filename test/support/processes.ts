import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Is there a process of this id that runs? One that has ended but was not reaped (a zombie) does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    // The state follows the name in parentheses, which may hold anything.
    return !/\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return process.platform !== "linux";
  }
}

/** Resolves when a condition that nothing announces has come true. @throws after `deadlineMs` (default 5000). */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  deadlineMs = 5000,
): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not within ${deadlineMs} ms: ${what}`);
    await delay(5);
  }
}
