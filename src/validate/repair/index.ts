import type { ErrorObject } from "ajv";
import type { ArgumentRepair, Json } from "../../../machines/index.ts";
import { countNodes } from "../count-nodes.ts";
import { valueAt } from "../pointer.ts";
import { type Candidate, candidatesFor } from "./candidates.ts";
import { applies, type RepairMode, type RepairRuleName } from "./rules.ts";
import { unwrapCall } from "./wrapped-call.ts";

export { REPAIR_RULES, type RepairMode, type RepairRule, type RepairRuleName } from "./rules.ts";

/** What is to be mended, and by what. */
export interface RepairInput {
  readonly data: Json;
  /** Every error of data by the tool's schema, `[]` when it is valid. Total. */
  readonly errorsOf: (data: Json) => readonly ErrorObject[];
  readonly mode: RepairMode;
  /** What the data is called in messages. */
  readonly root: string;
  /** Is this the name of the tool whose arguments these are? */
  readonly isTool?: (name: string) => boolean;
}

/** Data with what could be mended mended. It may still be faulty. */
export interface Repaired {
  readonly data: Json;
  readonly repairs: readonly ArgumentRepair[];
  /** The errors that are left. */
  readonly errors: readonly ErrorObject[];
}

/** Values in JSON text may need mending themselves, and so on. */
const MAX_ROUNDS = 8;
/** Each change that is tried costs a validation of the whole data, so large data has fewer. */
const MAX_TRIALS = 400;
const MAX_NODES_TRIED = 1_000_000;

/**
 * Mends faulty data by the rules of its mode, on a copy: only what the schema refuses is touched, each change is one that
 * the schema then accepts, and where several would do none is made. Total, and bounded in time.
 */
export function repairData(input: RepairInput): Repaired {
  const { errorsOf, mode, root } = input;
  let state: Repaired = { data: input.data, repairs: [], errors: errorsOf(input.data) };
  if (mode === "none" || state.errors.length === 0) return state;
  const trials = Math.ceil(MAX_NODES_TRIED / countNodes(input.data, MAX_NODES_TRIED));
  const budget = { trials: Math.min(MAX_TRIALS, trials) };
  state = unwrapped(state, input) ?? state;
  for (let round = 0; round < MAX_ROUNDS && state.errors.length > 0; round += 1) {
    const next = mendOnce(state, { errorsOf, mode, root, budget });
    if (next === state) break;
    state = next;
  }
  return state;
}

interface Mending {
  readonly errorsOf: (data: Json) => readonly ErrorObject[];
  readonly mode: RepairMode;
  readonly root: string;
  readonly budget: { trials: number };
}

function unwrapped(state: Repaired, { errorsOf, root, isTool }: RepairInput): Repaired | undefined {
  const found = isTool === undefined ? undefined : unwrapCall(state, { root, isTool });
  if (found === undefined) return undefined;
  return {
    data: found.data,
    repairs: [{ path: "", rule: found.rule, message: found.message }],
    errors: errorsOf(found.data),
  };
}

/** One change at each faulty place. The same state when there is nothing to be done any more. */
function mendOnce(before: Repaired, mending: Mending): Repaired {
  let state = before;
  for (const path of pathsOf(before.errors)) {
    // An earlier change may have mended this place too, or have taken it away.
    const errors = state.errors.filter(({ instancePath }) => instancePath === path);
    state = mendAt(state, errors, mending) ?? state;
    if (state.errors.length === 0) break;
  }
  return state;
}

function pathsOf(errors: readonly ErrorObject[]): readonly string[] {
  return [...new Set(errors.map(({ instancePath }) => instancePath))].slice(0, MAX_TRIALS);
}

interface Tried {
  readonly candidate: Candidate;
  readonly errors: readonly ErrorObject[];
}

function mendAt(
  state: Repaired,
  errors: readonly ErrorObject[],
  { errorsOf, mode, root, budget }: Mending,
): Repaired | undefined {
  const candidates = distinct(
    errors.flatMap((error) => candidatesFor({ error, data: state.data, root })),
  ).filter(({ rule }) => applies(mode, rule));
  const tried: Tried[] = [];
  for (const candidate of candidates) {
    if (budget.trials === 0) return undefined;
    budget.trials -= 1;
    tried.push({ candidate, errors: errorsOf(candidate.data) });
  }
  const chosen = choose(tried, state.errors);
  if (chosen === undefined) return undefined;
  const { rule, path, message, data } = chosen.candidate;
  return {
    data,
    repairs: [...state.repairs, { path, rule, message }],
    errors: chosen.errors,
  };
}

/** The same outcome by two rules is one outcome. */
function distinct(candidates: readonly Candidate[]): readonly Candidate[] {
  const byData = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { path, data } = candidate;
    const key = `${path} ${JSON.stringify(valueAt(data, path)) ?? "left out"}`;
    if (!byData.has(key)) byData.set(key, candidate);
  }
  return [...byData.values()];
}

const LEFT_OUT: ReadonlySet<RepairRuleName> = new Set(["optional-null", "echoed-default"]);

/**
 * The one change that leaves no fault where it was made. Without one: the only change there is, if it is a step forward
 * (text became a structure whose own faults are seen now).
 */
function choose(tried: readonly Tried[], before: readonly ErrorObject[]): Tried | undefined {
  const clean = tried.filter((each) => isClean(each, before));
  // A value that can be read is not left out.
  const read = clean.filter(({ candidate }) => !LEFT_OUT.has(candidate.rule));
  const fitting = read.length > 0 ? read : clean;
  if (fitting.length > 0) return fitting.length === 1 ? fitting[0] : undefined;
  const [only] = tried;
  return tried.length === 1 && only?.candidate.rule === "json-text" && isStep(only, before)
    ? only
    : undefined;
}

/** No fault is left at or under the place, and none is new in what holds it (a key that is missed now). */
function isClean({ candidate, errors }: Tried, before: readonly ErrorObject[]): boolean {
  const { path } = candidate;
  const holds = ({ instancePath }: ErrorObject): boolean => isAtOrUnder(path, instancePath);
  if (errors.some(({ instancePath }) => isAtOrUnder(instancePath, path))) return false;
  const known = new Set(before.filter(holds).map(identityOf));
  return errors.filter(holds).every((error) => known.has(identityOf(error)));
}

/** What was complained of at the place itself is gone. */
function isStep({ candidate, errors }: Tried, before: readonly ErrorObject[]): boolean {
  const { path } = candidate;
  const at = (list: readonly ErrorObject[]) =>
    list.filter(({ instancePath, keyword }) => instancePath === path && keyword === "type").length;
  return at(errors) < at(before);
}

function isAtOrUnder(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

function identityOf({ instancePath, keyword, params }: ErrorObject): string {
  return `${instancePath} ${keyword} ${JSON.stringify(params)}`;
}
