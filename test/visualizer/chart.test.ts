import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { and, createMachine, setup } from "xstate";
import { edgesOf, STATES, toolCallMachine } from "../../machines/index.ts";
import { bundlePage } from "../../scripts/bundle-page.ts";
import { drawChart } from "../../scripts/draw-chart.ts";
import { toChartGraph, toMermaid } from "../../visualizer/index.ts";
import { CHART } from "../../visualizer/page/chart-data.ts";
import type { DrawnEdge, DrawnNode, DrawnText } from "../../visualizer/page/chart-drawing.ts";

const graph = toChartGraph(toolCallMachine);
const key = (one: { from: string; to: string; event: string; guard?: string }): string =>
  `${one.from} -> ${one.to}: ${one.event} [${one.guard ?? ""}]`;

describe("the graph of a chart", () => {
  it("has the states of the contract, in their order, and the transitions that the chart tells of itself", () => {
    expect(graph.states.map(({ name }) => name)).toEqual([...STATES]);
    expect(graph.states.filter(({ final }) => final).map(({ name }) => name)).toEqual([
      "succeeded",
      "failed",
    ]);
    expect(graph.states.filter(({ initial }) => initial).map(({ name }) => name)).toEqual([
      "validating",
    ]);
    expect(graph.transitions.map(key).sort()).toEqual(
      edgesOf(toolCallMachine.config.states as Parameters<typeof edgesOf>[0])
        .map(key)
        .sort(),
    );
  });

  it("reads nested and parallel machines, and every way to name a guard", () => {
    const machine = setup({ guards: { ready: () => true, open: () => true } }).createMachine({
      id: "shop",
      initial: "browsing",
      on: { leave: "#gone" },
      states: {
        browsing: {
          on: {
            pay: [
              { target: "paying.card", guard: "ready" },
              { target: "gone", guard: and(["ready", "open"]) },
            ],
          },
        },
        paying: { initial: "cash", states: { cash: { after: { 500: "card" } }, card: {} } },
        gone: { id: "gone", type: "final" },
      },
    });
    const { states, transitions } = toChartGraph(machine);
    expect(states.map(({ name, parent }) => [name, parent])).toEqual([
      ["browsing", undefined],
      ["paying", undefined],
      ["paying.cash", "paying"],
      ["paying.card", "paying"],
      ["gone", undefined],
    ]);
    expect(transitions.map(key)).toEqual([
      "shop -> gone: leave []",
      "browsing -> paying.card: pay [ready]",
      expect.stringMatching(/^browsing -> gone: pay \[\w+\]$/),
      "paying.cash -> paying.card: after.500 []",
    ]);
  });
});

describe("the drawn chart", () => {
  it("shows exactly the states and transitions of the machine", () => {
    expect(CHART.nodes.map(({ name, final }) => [name, final])).toEqual(
      graph.states.map(({ name, final }) => [name, final]),
    );
    const drawn = CHART.edges.flatMap(({ from, to, transitions }) =>
      transitions.map(({ event, guard }) =>
        key({ from, to, event, ...(guard === undefined ? {} : { guard }) }),
      ),
    );
    expect(drawn.sort()).toEqual(graph.transitions.map(key).sort());
  });

  it("names event or guard of every transition, and both where both decide", () => {
    for (const { transitions } of CHART.edges) {
      for (const { event, guard, label } of transitions) {
        const text = label.map((line) => line.text).join(" ");
        if (guard !== undefined) expect(text).toContain(`[${guard}]`);
        if (event !== "always" || guard === undefined) expect(text).toContain(event);
      }
    }
  });

  it("lets no text, box or line lie on a text or a box that it does not belong to", () => {
    expect(collisions()).toEqual([]);
  });

  it("leads the way of a good call straight down", () => {
    const main = CHART.edges.filter(({ kind }) => kind === "main");
    expect(main.map(({ to }) => to)).toEqual([
      "authorizing",
      "queued",
      "executing",
      "normalizing",
      "tracing",
      "succeeded",
    ]);
    expect(new Set(main.flatMap(({ points }) => points.map(([x]) => x))).size).toBe(1);
  });

  it("refuses a chart with a state or a transition that it has no place for, or without one that it has", () => {
    const [first] = graph.transitions;
    if (first === undefined) throw new Error("no transitions");
    const strange = { ...first, to: "tracing" };
    expect(() => drawChart({ ...graph, transitions: [...graph.transitions, strange] })).toThrow(
      "validating tracing",
    );
    expect(() => drawChart({ ...graph, transitions: graph.transitions.slice(1) })).toThrow(
      "validating authorizing",
    );
    const state = { name: "dreaming", final: false, initial: false };
    expect(() => drawChart({ ...graph, states: [...graph.states, state] })).toThrow("dreaming");
  });
});

interface Box {
  readonly what: string;
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly bottom: number;
}

/** The face of the labels has characters of 0.6 em; they are set in 10 pixels. */
function textBox({ text, x, y, anchor }: DrawnText): Box {
  const width = text.length * 6.02;
  const left = anchor === "start" ? x : x - width;
  return { what: `text ${text}`, x: left, y: y - 8, right: left + width, bottom: y + 2 };
}

function nodeBox({ name, x, y, width, height }: DrawnNode): Box {
  return { what: `state ${name}`, x, y, right: x + width, bottom: y + height };
}

function segmentBoxes({ from, to, points }: DrawnEdge): readonly Box[] {
  return points.slice(1).map(([bx, by], index) => {
    const [ax, ay] = points[index] ?? [bx, by];
    return {
      what: `line ${from} ${to}`,
      x: Math.min(ax, bx),
      y: Math.min(ay, by),
      right: Math.max(ax, bx),
      bottom: Math.max(ay, by),
    };
  });
}

function collisions(): readonly string[] {
  const texts = CHART.edges.flatMap(({ transitions }) =>
    transitions.flatMap(({ label }) => label.map(textBox)),
  );
  const nodes = CHART.nodes.map(nodeBox);
  const lines = CHART.edges.flatMap(segmentBoxes);
  const solid = [...texts, ...nodes];
  const meet = (a: Box, b: Box): boolean =>
    a.x < b.right && b.x < a.right && a.y < b.bottom && b.y < a.bottom;
  const pairs = [
    ...solid.flatMap((a, index) => solid.slice(index + 1).map((b) => [a, b] as const)),
    ...lines.flatMap((a) => solid.map((b) => [a, b] as const)),
  ];
  return pairs.filter(([a, b]) => meet(a, b)).map(([a, b]) => `${a.what} | ${b.what}`);
}

describe("the generated files", () => {
  it("are what the sources make: `npm run build:page` was run", async () => {
    for (const { file, text } of await bundlePage()) {
      const written = await readFile(file, "utf8");
      expect(written === text, `${file.pathname} is not up to date: npm run build:page`).toBe(true);
    }
  });
});

describe("the Mermaid text of a chart", () => {
  it("has every state and transition of the machine", () => {
    const text = toMermaid();
    const lines = text.split("\n").map((line) => line.trim());
    expect(lines[0]).toBe("stateDiagram-v2");
    expect(lines).toContain("[*] --> validating");
    expect(lines).toContain("succeeded --> [*]");
    expect(lines).toContain("failed --> [*]");
    for (const { from, to, event, guard } of graph.transitions) {
      const line = lines.find((one) => one.startsWith(`${from} --> ${to}: `));
      const labels = line?.slice(line.indexOf(": ") + 2).split("<br>");
      expect(labels).toContain(guard === undefined ? event : `${event} [${guard}]`);
    }
  });

  it("nests what is nested, and writes names that Mermaid could misread as texts", () => {
    const machine = createMachine({
      id: "m",
      initial: "a b",
      states: {
        "a b": { on: { "x: y;": "end" } },
        end: { initial: "in", states: { in: {} } },
      },
    });
    expect(toMermaid(machine)).toBe(
      [
        "stateDiagram-v2",
        '  state "a b" as s0',
        "  [*] --> s0",
        '  state "end" as s1',
        "  state s1 {",
        '    state "in" as s2',
        "    [*] --> s2",
        "  }",
        "  s0 --> s1: x∶ y,",
        "",
      ].join("\n"),
    );
  });
});
