/** What `acquire` says: run now, wait for `onGranted`, or go away. */
export type SlotAnswer = "held" | "waiting" | "full";

/** A request for a slot. The same object is given to `release`. */
export interface SlotTicket {
  readonly toolName: string;
  /** Attempts of this tool that may run at once. */
  readonly toolLimit: number;
  /** The slot is yours now. Called later, never from within `acquire` or `release`. */
  readonly onGranted: () => void;
}

/** Hands out the right to run: bounded for all tools together and for each, first come, first served. */
export interface Slots {
  readonly acquire: (ticket: SlotTicket) => SlotAnswer;
  /** Gives back a slot, or a place in the queue. Safe to call for any ticket, any number of times. */
  readonly release: (ticket: SlotTicket) => void;
  readonly running: () => number;
  readonly waiting: () => number;
}

interface ToolQueue {
  running: number;
  readonly limit: number;
  /** In order of arrival. A set, so that one who leaves the middle costs nothing. */
  readonly waiting: Set<SlotTicket>;
}

/**
 * A pool of `concurrency` slots with at most `maxQueued` tickets waiting. A tool that has reached its own limit does not
 * hold up the others: among the tools that may run, the ticket that came first is next.
 */
export function createSlots(options: { concurrency: number; maxQueued: number }): Slots {
  const tools = new Map<string, ToolQueue>();
  const order = new Map<SlotTicket, number>();
  const held = new Set<SlotTicket>();
  let arrivals = 0;
  let drainPlanned = false;

  const queueOf = (ticket: SlotTicket): ToolQueue => {
    const known = tools.get(ticket.toolName);
    if (known !== undefined) return known;
    const queue = { running: 0, limit: ticket.toolLimit, waiting: new Set<SlotTicket>() };
    tools.set(ticket.toolName, queue);
    return queue;
  };

  /** The ticket that is next, among the tools that may run. */
  const next = (): SlotTicket | undefined => {
    let first: SlotTicket | undefined;
    let least = Number.POSITIVE_INFINITY;
    if (order.size === 0 || held.size >= options.concurrency) return undefined;
    for (const { running, limit, waiting } of tools.values()) {
      if (running >= limit) continue;
      for (const ticket of waiting) {
        const arrival = order.get(ticket) ?? least;
        if (arrival < least) {
          least = arrival;
          first = ticket;
        }
        break;
      }
    }
    return first;
  };

  const hold = (ticket: SlotTicket): void => {
    held.add(ticket);
    queueOf(ticket).running += 1;
  };

  const leave = (ticket: SlotTicket): void => {
    order.delete(ticket);
    const queue = queueOf(ticket);
    queue.waiting.delete(ticket);
    if (queue.running === 0 && queue.waiting.size === 0) tools.delete(ticket.toolName);
  };

  const drain = (): void => {
    drainPlanned = false;
    for (let ticket = next(); ticket !== undefined; ticket = next()) {
      hold(ticket);
      leave(ticket);
      ticket.onGranted();
    }
  };

  return {
    acquire(ticket) {
      const queue = queueOf(ticket);
      if (held.size < options.concurrency && queue.running < queue.limit && next() === undefined) {
        hold(ticket);
        return "held";
      }
      if (order.size >= options.maxQueued) return "full";
      order.set(ticket, arrivals);
      arrivals += 1;
      queue.waiting.add(ticket);
      return "waiting";
    },
    release(ticket) {
      if (held.delete(ticket)) queueOf(ticket).running -= 1;
      else if (!order.has(ticket)) return;
      leave(ticket);
      // Not from here: a chain of calls that end at once would grow the stack with every grant.
      if (!drainPlanned && order.size > 0) {
        drainPlanned = true;
        queueMicrotask(drain);
      }
    },
    running: () => held.size,
    waiting: () => order.size,
  };
}
