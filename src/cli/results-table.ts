import type { StateName, ToolResult } from "../../machines/contract.ts";
import { forModel } from "../for-model.ts";
import { toOutcome } from "./outcome.ts";
import { toDuration, toOneLine } from "./printable.ts";
import { renderTable, shareWidth } from "./table.ts";

/** A row of the table of results: short texts only, so that many can be kept. */
export type ResultRow = readonly [
  tool: string,
  outcome: string,
  stages: string,
  latency: string,
  read: string,
];

/** What the table shows of a result; texts of the tool and the model are made harmless. */
export function toRow(result: ToolResult): ResultRow {
  return [
    toOneLine(result.toolName.slice(0, 200)) || "-",
    toOutcome(result),
    toStages(result.metadata.stages),
    toDuration(result.latencyMs),
    toOneLine(forModel(result).slice(0, 2000)),
  ];
}

/** The states in order; a round of retries that repeats is told once with its count. */
export function toStages(stages: readonly StateName[]): string {
  const text = stages.join(" ");
  return text.replace(/(executing (?:interrupting )?backingOff (?:queued )?)\1+/g, (all, round: string) => {
    return `(${round.trim()})×${all.length / round.length} `;
  });
}

/** Tool, outcome, stages passed, latency, and what the model reads, for a terminal of `width` columns. */
export function resultsTable(rows: readonly ResultRow[], width: number): string {
  const [tool = 8, outcome = 8, stages = 8, read = 8] = shareWidth(width, [8], [4, 6, 6, 12]);
  return renderTable(
    [
      { title: "tool", width: tool, maxLines: 4 },
      { title: "outcome", width: outcome, maxLines: 2 },
      { title: "stages passed", width: stages, maxLines: 8 },
      { title: "latency", width: 8, align: "right" },
      { title: "what the model reads", width: read, maxLines: 6 },
    ],
    rows,
  );
}
