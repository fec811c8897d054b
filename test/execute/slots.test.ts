import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSlots, type SlotAnswer } from "../../src/execute/slots.ts";

const turn = (): Promise<void> => new Promise((resolve) => queueMicrotask(resolve));

const TOOLS = ["a", "b", "c"] as const;
const LIMITS = { a: 1, b: 2, c: 9 } as const;
type ToolName = (typeof TOOLS)[number];

/** Slots beside a plain list of who holds and who waits. */
function createModel(concurrency: number, maxQueued: number) {
  const held = new Map<object, ToolName>();
  const queue: { readonly owner: object; readonly tool: ToolName }[] = [];
  const running = (tool: ToolName): number =>
    [...held.values()].filter((each) => each === tool).length;
  const indexOf = (owner: object): number => queue.findIndex((each) => each.owner === owner);
  const slots = createSlots({
    concurrency,
    maxQueued,
    onGranted(owner) {
      const at = indexOf(owner);
      expect(at).not.toBe(-1);
      // Whoever came before could not run: its tool is at its limit.
      for (const { tool } of queue.slice(0, at)) expect(running(tool)).toBe(LIMITS[tool]);
      for (const { tool } of queue.splice(at, 1)) held.set(owner, tool);
    },
  });
  return {
    ask(tool: ToolName): void {
      const owner = {};
      const answer = slots.acquire(owner, { toolName: tool, toolLimit: LIMITS[tool] });
      if (answer === "held") held.set(owner, tool);
      else if (answer === "waiting") queue.push({ owner, tool });
      else expect(queue.length).toBe(maxQueued);
    },
    leave(who: number): void {
      const all = [...held.keys(), ...queue.map(({ owner }) => owner)];
      const owner = all[who % Math.max(1, all.length)];
      if (owner === undefined) return;
      slots.release(owner);
      if (!held.delete(owner)) queue.splice(indexOf(owner), 1);
    },
    check(): void {
      expect([slots.running(), slots.waiting()]).toEqual([held.size, queue.length]);
      expect(held.size).toBeLessThanOrEqual(concurrency);
      for (const tool of TOOLS) expect(running(tool)).toBeLessThanOrEqual(LIMITS[tool]);
    },
    checkNobodyWaitsInVain(): void {
      if (held.size >= concurrency) return;
      expect(queue.filter(({ tool }) => running(tool) < LIMITS[tool])).toEqual([]);
    },
  };
}

describe("slots", () => {
  it("are handed out up to the limit, then queued in order, then refused", async () => {
    const granted: object[] = [];
    const slots = createSlots({
      concurrency: 1,
      maxQueued: 1,
      onGranted: (owner) => granted.push(owner),
    });
    const [a, b, c] = [{}, {}, {}];
    const ask = (owner: object): SlotAnswer =>
      slots.acquire(owner, { toolName: "t", toolLimit: Number.POSITIVE_INFINITY });
    expect([ask(a), ask(b), ask(c)]).toEqual(["held", "waiting", "full"]);
    slots.release(a);
    expect(granted).toEqual([]);
    await turn();
    expect(granted).toEqual([b]);
    slots.release(b);
    slots.release(b);
    expect([slots.running(), slots.waiting()]).toEqual([0, 0]);
  });

  it("let other tools pass one that has reached its own limit", async () => {
    const granted: string[] = [];
    const slots = createSlots({
      concurrency: 3,
      maxQueued: 9,
      onGranted: (owner) => granted.push((owner as { name: string }).name),
    });
    const ask = (name: string, toolName: string): SlotAnswer =>
      slots.acquire({ name }, { toolName, toolLimit: toolName === "narrow" ? 1 : 9 });
    expect([ask("n1", "narrow"), ask("n2", "narrow"), ask("w1", "wide")]).toEqual([
      "held",
      "waiting",
      "held",
    ]);
  });

  it("are never lost, doubled, or given out of order (property)", async () => {
    const move = fc.tuple(fc.constantFrom("ask", "leave", "turn"), fc.nat(2), fc.nat(20));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 6 }),
        fc.array(move, { maxLength: 80 }),
        async (concurrency, maxQueued, moves) => {
          const model = createModel(concurrency, maxQueued);
          for (const [kind, which, who] of moves) {
            if (kind === "ask") model.ask(TOOLS[which] ?? "a");
            else if (kind === "leave") model.leave(who);
            else await turn();
            model.check();
          }
          await turn();
          await turn();
          model.checkNobodyWaitsInVain();
        },
      ),
      { numRuns: 300 },
    );
  });

  it("cost no more for each of 50,000 waiters than for a few", async () => {
    const time = async (count: number): Promise<number> => {
      let grants = 0;
      const owners: object[] = [];
      const slots = createSlots({
        concurrency: 1,
        maxQueued: count,
        onGranted(owner) {
          grants += 1;
          owners.push(owner);
        },
      });
      const first = {};
      const request = { toolName: "t", toolLimit: Number.POSITIVE_INFINITY };
      slots.acquire(first, request);
      for (let at = 0; at < count; at += 1) slots.acquire({}, request);
      const begin = performance.now();
      slots.release(first);
      await turn();
      while (grants < count) {
        slots.release(owners[grants - 1] ?? first);
        await turn();
      }
      return (performance.now() - begin) / count;
    };
    await time(2000);
    const few = await time(2000);
    const many = await time(50_000);
    // A queue that is searched or shifted would be 25 times slower a call.
    expect(many / few).toBeLessThan(8);
  });
});
