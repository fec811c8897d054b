/** Interleaved timing: every subject sees the same noise, since slices of all of them take turns. */

/** Something to be timed. */
export interface Subject {
  readonly name: string;
  readonly call: () => Promise<unknown>;
}

/** What was measured of a subject, in microseconds a call. */
export interface Timing {
  readonly name: string;
  /** The 20th percentile of the slices: what it costs when nothing disturbs it. */
  readonly quietUs: number;
  readonly medianUs: number;
  /** Processor time of the whole process, garbage collection included. */
  readonly cpuUs: number;
}

/** The value below which a share of the numbers lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Times subjects in turns: `slices` times `calls` calls of each, after a warm-up. */
export async function interleave(
  subjects: readonly Subject[],
  { slices = 300, calls = 20, warmUp = 3000 } = {},
): Promise<readonly Timing[]> {
  const wall = subjects.map((): number[] => []);
  const cpu = subjects.map(() => 0);
  for (const { call } of subjects) for (let at = 0; at < warmUp; at += 1) await call();
  for (let slice = 0; slice < slices; slice += 1) {
    for (const [index, { call }] of subjects.entries()) {
      const usage = process.cpuUsage();
      const begin = performance.now();
      for (let at = 0; at < calls; at += 1) await call();
      wall[index]?.push(((performance.now() - begin) * 1000) / calls);
      const { user, system } = process.cpuUsage(usage);
      cpu[index] = (cpu[index] ?? 0) + (user + system) / calls / slices;
    }
  }
  return subjects.map(({ name }, index) => ({
    name,
    quietUs: percentile(wall[index] ?? [], 0.2),
    medianUs: percentile(wall[index] ?? [], 0.5),
    cpuUs: cpu[index] ?? Number.NaN,
  }));
}
