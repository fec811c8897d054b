import { type Token, tokensOf } from "./tokens.ts";

/** A repetition of more than that is as good as one without an end. */
const MANY = 20;
/** A repeated group is counted as often as it may come, up to this; then it is exponential. */
const FEW = 4;

/** What a part of a pattern may cost. */
interface Cost {
  /** The time grows with the length of the text to this power; `Infinity`: exponentially. */
  readonly power: number;
  /** How many of its parts can fit one text in several ways. Repeated, that is exponential. */
  readonly choices: number;
}

/** How the time grows that a backtracking engine takes, with the length `n` of the text. */
export interface Growth {
  /** To the power of `n` that is; `Infinity`: more than any, */
  readonly power: number;
  /** namely as this number to the power of `n`. */
  readonly base: number;
}

interface Group {
  /** The alternatives before the one at hand. */
  readonly before: Cost;
  readonly alternatives: number;
  readonly own: Cost;
  /** What a quantifier would repeat. */
  readonly last: Cost;
}

const NOTHING: Cost = { power: 0, choices: 0 };
const EMPTY: Group = { before: NOTHING, alternatives: 1, own: NOTHING, last: NOTHING };

/** An upper bound, from the quantifiers of a pattern alone: many patterns are better. */
export function growthOf(source: string): Growth {
  const tokens = tokensOf(source);
  const groups: Group[] = [EMPTY];
  for (const token of tokens) {
    const group = groups.pop() ?? EMPTY;
    if (token.kind === "open") groups.push(group, EMPTY);
    else if (token.kind === "close" && groups.length > 0) groups.push(closed(groups.pop(), group));
    else groups.push(next(group, token));
  }
  const whole = groups.reduceRight((inner, outer) => closed(outer, inner));
  const { power, choices } = sum(whole.before, whole.own);
  // Without an anchor each place is tried.
  const isAnchored = tokens[0]?.text === "^" && whole.alternatives === 1;
  return { power: power + (isAnchored ? 0 : 1), base: choices + 1 };
}

function next(group: Group, token: Token): Group {
  switch (token.kind) {
    case "or":
      return {
        ...EMPTY,
        before: sum(group.before, group.own),
        alternatives: group.alternatives + 1,
      };
    case "quantifier":
      return { ...group, own: sum(group.own, repeated(group.last, token.text)), last: NOTHING };
    default:
      return { ...group, last: NOTHING };
  }
}

function closed(outer: Group | undefined, { before, own, alternatives }: Group): Group {
  const all = sum(before, own);
  const cost = { ...all, choices: all.choices + alternatives - 1 };
  const around = outer ?? EMPTY;
  return { ...around, own: sum(around.own, cost), last: cost };
}

/** What a quantifier adds to what it repeats, which is counted once already. */
function repeated(last: Cost, quantifier: string): Cost {
  const [, least = "", most = least] = /^\{(\d+)(?:,(\d*))?\}/.exec(quantifier) ?? [];
  const isOptional = quantifier.startsWith("?");
  const isOpen = !isOptional && (least === "" || most === "");
  const times = isOptional ? 1 : isOpen ? Number.POSITIVE_INFINITY : Number(most);
  const choices = isOptional || isOpen || least !== most ? 1 : 0;
  if (times > FEW && last.choices > 0) return { power: Number.POSITIVE_INFINITY, choices };
  const copies = Math.max(0, Math.min(times, FEW) - 1);
  return {
    power: last.power * copies + (times > MANY ? choices : 0),
    choices: last.choices * copies + choices,
  };
}

function sum(one: Cost, other: Cost): Cost {
  return { power: one.power + other.power, choices: one.choices + other.choices };
}
