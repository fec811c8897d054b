/**
 * The plan of the drawn chart: where each state stands and how each transition runs. The states stand in two columns, the
 * way of a good call straight down the left one; early exits are gathered in one line at the right edge; what comes back
 * after a backoff goes up at the left. A transition that this plan does not know is an error, not an omission.
 */
import type { DrawnEdge, DrawnNode, Point } from "../visualizer/page/chart-drawing.ts";

const HEIGHT = 42;
/** The height of a line of a label. */
export const LINE = 12;
const MAIN = { x: 118, width: 124 };
const SIDE = { x: 378, width: 136 };
/** The line at the right edge that gathers early exits. */
export const BUS = 652;
const TRUNK = 14;
/** Free room above and below. */
export const TOP = 14;

const columns: ReadonlyMap<string, readonly [column: typeof MAIN, y: number]> = new Map([
  ["validating", [MAIN, 34]],
  ["authorizing", [MAIN, 116]],
  ["awaitingApproval", [SIDE, 190]],
  ["queued", [MAIN, 278]],
  ["executing", [MAIN, 366]],
  ["interrupting", [SIDE, 440]],
  ["backingOff", [SIDE, 530]],
  ["normalizing", [MAIN, 640]],
  ["tracing", [MAIN, 718]],
  ["succeeded", [MAIN, 796]],
  ["failed", [SIDE, 796]],
]);

/** What a label looks like: where it begins, and whether the guard goes on the event's line or below it. */
interface LabelPlan {
  readonly at: Point;
  readonly anchor?: "start" | "end";
  readonly below?: boolean;
  /** From the event's baseline to the guard's. Default: one line. */
  readonly step?: number;
}

/** How one line runs, and where its label stands. */
export interface Plan {
  readonly kind: DrawnEdge["kind"];
  readonly points: readonly Point[];
  readonly label: LabelPlan;
}

/** Where a state stands. @throws Error for one that has no place */
export function boxOf(name: string): DrawnNode {
  const place = columns.get(name);
  if (place === undefined)
    throw new Error(`scripts/chart-plan.ts has no place for the state ${name}`);
  const [{ x, width }, y] = place;
  return { name, final: false, x, y, width, height: HEIGHT };
}

const centre = ({ x, width }: DrawnNode): number => x + width / 2;
const right = ({ x, width }: DrawnNode): number => x + width;
/** The lower edge of a box. */
export const bottom = ({ y, height }: DrawnNode): number => y + height;
/** Half the height of a box. */
export const middle = ({ y, height }: DrawnNode): number => y + height / 2;

function down(from: DrawnNode, to: DrawnNode, below?: number): Plan {
  const x = centre(from);
  const y = below ?? (bottom(from) + to.y) / 2;
  return {
    kind: "main",
    points: [
      [x, bottom(from)],
      [x, to.y],
    ],
    label: { at: [x + 8, y], below: true },
  };
}

function exit(from: DrawnNode): Plan {
  const to = boxOf("normalizing");
  return {
    kind: "exit",
    points: [
      [right(from), middle(from)],
      [BUS, middle(from)],
      [BUS, middle(to)],
      [right(to), middle(to)],
    ],
    label: { at: [right(from) + 8, middle(from) + LINE + 1] },
  };
}

/** A small loop over the right corner. */
function loop(node: DrawnNode): Plan {
  const [x, y] = [right(node), node.y];
  return {
    kind: "again",
    points: [
      [x - 32, y],
      [x - 32, y - 12],
      [x - 12, y - 12],
      [x - 12, y],
    ],
    label: { at: [x - 6, y - 4] },
  };
}

/** Out of the bottom, then right into the other's left side. */
function sideways(from: DrawnNode, to: DrawnNode, inset: number, lines: number): Plan {
  const x = right(from) - inset;
  return {
    kind: "side",
    points: [
      [x, bottom(from)],
      [x, middle(to)],
      [to.x, middle(to)],
    ],
    label: { at: [x + 7, middle(to) - 5 - LINE * (lines - 1)], below: true, step: LINE + 7 },
  };
}

/** Below everything to the left edge, up, and back in. */
function back(from: DrawnNode, to: DrawnNode): Plan {
  const y = bottom(from) + 20;
  return {
    kind: "side",
    points: [
      [centre(from), bottom(from)],
      [centre(from), y],
      [TRUNK, y],
      [TRUNK, middle(to)],
      [to.x, middle(to)],
    ],
    label: { at: [TRUNK + 8, middle(to) - 5], below: true, step: LINE + 7 },
  };
}

/** Each line of the picture. The key says from where to where, and `exit` for the ways out of the good path. */
export function plans(): ReadonlyMap<string, Plan> {
  const validating = boxOf("validating");
  const authorizing = boxOf("authorizing");
  const awaitingApproval = boxOf("awaitingApproval");
  const queued = boxOf("queued");
  const executing = boxOf("executing");
  const interrupting = boxOf("interrupting");
  const backingOff = boxOf("backingOff");
  const normalizing = boxOf("normalizing");
  const tracing = boxOf("tracing");
  const failed = boxOf("failed");
  const lane = centre(validating);
  const aside = centre(awaitingApproval);
  return new Map<string, Plan>([
    ["validating authorizing", down(validating, authorizing)],
    ["authorizing queued", down(authorizing, queued, queued.y - 44)],
    ["queued executing", down(queued, executing)],
    ["executing normalizing", down(executing, normalizing, normalizing.y - 32)],
    ["normalizing tracing", down(normalizing, tracing)],
    ["tracing succeeded", down(tracing, boxOf("succeeded"))],
    ...[validating, authorizing, awaitingApproval, queued, executing, interrupting, backingOff].map(
      (from): [string, Plan] => [`${from.name} normalizing exit`, exit(from)],
    ),
    ...[authorizing, awaitingApproval, queued, backingOff, normalizing].map(
      (node): [string, Plan] => [`${node.name} ${node.name}`, loop(node)],
    ),
    ["authorizing awaitingApproval", sideways(authorizing, awaitingApproval, 30, 1)],
    ["executing interrupting", sideways(executing, interrupting, 16, 2)],
    ["executing backingOff", sideways(executing, backingOff, 34, 1)],
    ["backingOff executing", back(backingOff, executing)],
    ["backingOff queued", back(backingOff, queued)],
    [
      "awaitingApproval queued",
      {
        kind: "side",
        points: [
          [aside, bottom(awaitingApproval)],
          [aside, queued.y - 20],
          [lane + 22, queued.y - 20],
          [lane + 22, queued.y],
        ],
        label: { at: [aside - 8, queued.y - 25], anchor: "end" },
      },
    ],
    [
      "awaitingApproval validating",
      {
        kind: "side",
        points: [
          [aside, awaitingApproval.y],
          [aside, TOP],
          [lane + 22, TOP],
          [lane + 22, validating.y],
        ],
        label: { at: [aside - 8, TOP + 13], anchor: "end" },
      },
    ],
    [
      "executing queued",
      {
        kind: "again",
        points: [
          [executing.x + 16, executing.y],
          [executing.x + 16, bottom(queued)],
        ],
        label: { at: [executing.x + 10, bottom(queued) + 20], anchor: "end", below: true },
      },
    ],
    [
      "interrupting backingOff",
      {
        kind: "side",
        points: [
          [aside, bottom(interrupting)],
          [aside, backingOff.y],
        ],
        label: { at: [aside - 8, bottom(interrupting) + 21], anchor: "end", below: true },
      },
    ],
    [
      "tracing failed",
      {
        kind: "side",
        points: [
          [right(tracing), middle(tracing)],
          [centre(failed), middle(tracing)],
          [centre(failed), failed.y],
        ],
        label: { at: [right(tracing) + 8, middle(tracing) - 5] },
      },
    ],
  ]);
}
