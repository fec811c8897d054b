import { createFifo, type Fifo } from "./fifo.ts";

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
  readonly toolName: string;
  running: number;
  readonly limit: number;
  readonly waiting: Fifo<Waiter>;
}

interface Waiter {
  readonly owner: object;
  readonly arrival: number;
  readonly queue: ToolQueue;
}

/**
 * A pool of `concurrency` slots with at most `maxQueued` owners waiting. A tool that has reached its own limit does not
 * hold up the others: among the tools that may run, the owner that came first is next.
 */
export function createSlots({ concurrency, maxQueued, onGranted }: SlotOptions): Slots {
  const tools = new Map<string, ToolQueue>();
  const held = new Map<object, ToolQueue>();
  const waiting = new Map<object, { readonly queue: ToolQueue; readonly place: number }>();
  let arrivals = 0;
  let drainPlanned = false;

  const queueOf = ({ toolName, toolLimit }: SlotRequest): ToolQueue => {
    const known = tools.get(toolName);
    if (known !== undefined) return known;
    const queue = { toolName, running: 0, limit: toolLimit, waiting: createFifo<Waiter>() };
    tools.set(toolName, queue);
    return queue;
  };

  /** The first in line of the tool whose first in line came before all others that may run. */
  const next = (): Waiter | undefined => {
    if (waiting.size === 0 || held.size >= concurrency) return undefined;
    let first: Waiter | undefined;
    for (const { running, limit, waiting: line } of tools.values()) {
      const waiter = running < limit ? line.first() : undefined;
      if (waiter !== undefined && waiter.arrival < (first?.arrival ?? Number.POSITIVE_INFINITY)) {
        first = waiter;
      }
    }
    return first;
  };

  const hold = (owner: object, queue: ToolQueue): void => {
    held.set(owner, queue);
    queue.running += 1;
  };

  const stopWaiting = (owner: object): void => {
    const entry = waiting.get(owner);
    if (entry === undefined) return;
    waiting.delete(owner);
    entry.queue.waiting.leave(entry.place);
  };

  const drain = (): void => {
    drainPlanned = false;
    for (let waiter = next(); waiter !== undefined; waiter = next()) {
      stopWaiting(waiter.owner);
      hold(waiter.owner, waiter.queue);
      onGranted(waiter.owner);
    }
  };

  const release = (owner: object): void => {
    const queue = held.get(owner) ?? waiting.get(owner)?.queue;
    if (queue === undefined) return;
    if (held.delete(owner)) queue.running -= 1;
    stopWaiting(owner);
    if (queue.running === 0 && queue.waiting.size() === 0) tools.delete(queue.toolName);
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
        hold(owner, queue);
        return "held";
      }
      if (waiting.size >= maxQueued) return "full";
      const place = queue.waiting.join({ owner, arrival: arrivals, queue });
      waiting.set(owner, { queue, place });
      arrivals += 1;
      return "waiting";
    },
    release,
    running: () => held.size,
    waiting: () => waiting.size,
  };
}
