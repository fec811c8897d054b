/** Where everything of the drawn chart stands. Units are CSS pixels at natural size; the origin is the top left. */
export interface ChartDrawing {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
  /** The line into the initial state. */
  readonly start: readonly Point[];
}

/** A state as a box. */
export interface DrawnNode {
  readonly name: string;
  readonly final: boolean;
  readonly description?: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** One line, which stands for one transition or for several that lead from and to the same states. */
export interface DrawnEdge {
  readonly from: string;
  readonly to: string;
  /** `main` is the way of a call that meets nothing special; `exit` leads to `normalizing` early; `again` restores. */
  readonly kind: "main" | "side" | "exit" | "again";
  readonly points: readonly Point[];
  readonly transitions: readonly DrawnTransition[];
}

/** A transition and its label, line by line. */
export interface DrawnTransition {
  /** The event's stable name; `always` for transitions without one. */
  readonly event: string;
  readonly guard?: string;
  readonly label: readonly DrawnText[];
}

/** A line of text. `x`, `y` is where its baseline begins (`start`) or ends (`end`). */
export interface DrawnText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: "start" | "end";
}

/** x, y. */
export type Point = readonly [number, number];
