import type { PageCall } from "./calls.ts";

/** What can be sorted by. `recorded` is the order of the recording. */
export type SortKey =
  | "recorded"
  | "tool"
  | "outcome"
  | "stages"
  | "attempts"
  | "latency"
  | "started";

/** Which calls are listed, and in which order. */
export interface Query {
  /** Looked for in name, ids, arguments, output, error and code, in any case of letters. */
  readonly text: string;
  /** Absent: every tool. */
  readonly tool?: string;
  /** `succeeded`, `failed`, or a failure's code. Absent: every outcome. */
  readonly outcome?: string;
  readonly sort: SortKey;
  readonly descending: boolean;
}

/** What the list shows at first. */
export const EVERYTHING: Query = { text: "", sort: "recorded", descending: false };

/** Finds calls. Pure but for a memory of the texts that were searched. */
export function findCalls(calls: readonly PageCall[], query: Query): readonly PageCall[] {
  const needle = query.text.trim().toLowerCase();
  const found = calls.filter(
    (call) =>
      (query.tool === undefined || call.tool === query.tool) &&
      (query.outcome === undefined || hasOutcome(call, query.outcome)) &&
      (needle === "" || haystackOf(call).includes(needle)),
  );
  const compare = comparers[query.sort];
  if (compare !== undefined) found.sort(compare);
  return query.descending ? found.reverse() : found;
}

function hasOutcome(call: PageCall, outcome: string): boolean {
  if (outcome === "succeeded") return call.success;
  if (outcome === "failed") return !call.success;
  return call.code === outcome;
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const comparers: { readonly [key in SortKey]?: (a: PageCall, b: PageCall) => number } = {
  tool: (a, b) => byText(a.tool, b.tool),
  outcome: (a, b) => Number(b.success) - Number(a.success) || byText(a.code ?? "", b.code ?? ""),
  stages: (a, b) => a.stages - b.stages,
  attempts: (a, b) => a.attempts - b.attempts,
  latency: (a, b) => a.latencyMs - b.latencyMs,
  started: (a, b) => a.startedAt - b.startedAt,
};

const haystacks = new WeakMap<PageCall, string>();

function haystackOf(call: PageCall): string {
  const known = haystacks.get(call);
  if (known !== undefined) return known;
  const { output, error } = call.record.result;
  const wanted = JSON.stringify(call.record.call.arguments) ?? "";
  const haystack = [call.tool, call.callId, call.id, call.code, wanted, output, error]
    .join("\n")
    .toLowerCase();
  haystacks.set(call, haystack);
  return haystack;
}

/** How often each value occurs, most frequent first. */
export function countBy(
  calls: readonly PageCall[],
  keyOf: (call: PageCall) => string | undefined,
): readonly (readonly [key: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const call of calls) {
    const key = keyOf(call);
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || byText(a[0], b[0]));
}
