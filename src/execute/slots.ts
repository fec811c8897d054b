/** What `acquire` says: run now, wait for `onGranted`, or go away. */
export type SlotAnswer = "held" | "waiting" | "full";

/** What a slot is wanted for. */
export interface SlotRequest {
  readonly toolName: string;
  /** Attempts of this tool that may run at once. */
  readonly toolLimit: number;
}

/** Hands out the right to run: bounded for all tools together and for each, first come, first served. */
export interface Slots {
  /** Asks for a slot for `owner`. Who holds one, or waits for one, gives that up first. */
  readonly acquire: (owner: object, request: SlotRequest) => SlotAnswer;
  /** Gives back a slot, or a place in the queue. Safe for any owner, any number of times. */
  readonly release: (owner: object) => void;
  readonly running: () => number;
  readonly waiting: () => number;
}

/** The bounds of a pool. */
export interface SlotOptions {
  readonly concurrency: number;
  readonly maxQueued: number;
  /** The slot is the owner's now. Called later, never from within `acquire` or `release`. */
  readonly onGranted: (owner: object) => void;
}

interface ToolQueue {
  running: number;
  readonly limit: number;
  /** Owners and the numbers of their arrival, in that order. One who leaves the middle costs nothing. */
  readonly waiting: Map<object, number>;
}

/**
 * A pool of `concurrency` slots with at most `maxQueued` owners waiting. A tool that has reached its own limit does not
 * hold up the others: among the tools that may run, the owner that came first is next.
 */
export function createSlots({ concurrency, maxQueued, onGranted }: SlotOptions): Slots {
  const tools = new Map<string, ToolQueue>();
  const held = new Map<object, string>();
  const waiting = new Map<object, string>();
  let arrivals = 0;
  let drainPlanned = false;

  const queueOf = ({ toolName, toolLimit }: SlotRequest): ToolQueue => {
    const known = tools.get(toolName);
    if (known !== undefined) return known;
    const queue: ToolQueue = { running: 0, limit: toolLimit, waiting: new Map() };
    tools.set(toolName, queue);
    return queue;
  };

  /** The first in line of the tool whose first in line came before all others that may run. */
  const next = (): { owner: object; toolName: string; queue: ToolQueue } | undefined => {
    if (waiting.size === 0 || held.size >= concurrency) return undefined;
    let first: { owner: object; toolName: string; queue: ToolQueue } | undefined;
    let earliest = Number.POSITIVE_INFINITY;
    for (const [toolName, queue] of tools) {
      if (queue.running >= queue.limit) continue;
      const head = queue.waiting.entries().next().value;
      if (head === undefined || head[1] >= earliest) continue;
      earliest = head[1];
      first = { owner: head[0], toolName, queue };
    }
    return first;
  };

  const hold = (owner: object, toolName: string, queue: ToolQueue): void => {
    held.set(owner, toolName);
    queue.running += 1;
  };

  const drain = (): void => {
    drainPlanned = false;
    for (let turn = next(); turn !== undefined; turn = next()) {
      waiting.delete(turn.owner);
      turn.queue.waiting.delete(turn.owner);
      hold(turn.owner, turn.toolName, turn.queue);
      onGranted(turn.owner);
    }
  };

  const release = (owner: object): void => {
    const toolName = held.get(owner) ?? waiting.get(owner);
    const queue = toolName === undefined ? undefined : tools.get(toolName);
    if (toolName === undefined || queue === undefined) return;
    if (held.delete(owner)) queue.running -= 1;
    waiting.delete(owner);
    queue.waiting.delete(owner);
    if (queue.running === 0 && queue.waiting.size === 0) tools.delete(toolName);
    // Not from here: a chain of calls that end at once would grow the stack with every grant.
    if (drainPlanned || waiting.size === 0) return;
    drainPlanned = true;
    queueMicrotask(drain);
  };

  return {
    acquire(owner, request) {
      release(owner);
      const queue = queueOf(request);
      const free = held.size < concurrency && queue.running < queue.limit;
      if (free && next() === undefined) {
        hold(owner, request.toolName, queue);
        return "held";
      }
      if (waiting.size >= maxQueued) return "full";
      waiting.set(owner, request.toolName);
      queue.waiting.set(owner, arrivals);
      arrivals += 1;
      return "waiting";
    },
    release,
    running: () => held.size,
    waiting: () => waiting.size,
  };
}
