import stringWidth from "string-width";
import type { StateName, ToolResult } from "../../machines/contract.ts";
import { forModel } from "../for-model.ts";
import { toDuration, toOneLine } from "./printable.ts";
import { renderTable } from "./table.ts";

/** A row of the table of results: short texts only (harmless), so that many can be kept. */
export interface ResultRow {
  readonly tool: string;
  readonly id: string;
  /** `succeeded`, or `failed` and, below it, the code. */
  readonly outcome: string;
  readonly stages: string;
  readonly latency: string;
  /** Its line breaks are kept, blank lines are not. */
  readonly read: string;
}

/** What the table shows of a result. */
export function toRow(result: ToolResult): ResultRow {
  return {
    tool: toOneLine(result.toolName.slice(0, 200)) || "-",
    id: toOneLine(result.callId.slice(0, 200)),
    outcome: result.success ? "succeeded" : `failed\n${result.failure?.code ?? "internal"}`,
    stages: toStages(result.metadata.stages),
    latency: toDuration(result.latencyMs),
    read: toLines(forModel(result).slice(0, 2000)),
  };
}

function toLines(text: string): string {
  const lines = text.split("\n").map(toOneLine);
  return lines.filter((line) => line !== "").join("\n");
}

/** The states in order; a round of retries that repeats is told once with its count. */
export function toStages(stages: readonly StateName[]): string {
  const rounds = /(executing (?:interrupting )?backingOff (?:queued )?)\1+/g;
  return stages
    .join(" ")
    .replace(rounds, (all, round: string) => `(${round.trim()})×${all.length / round.length} `);
}

/** From this width on, each fact has a column of its own. */
const WIDE = 100;
const MAX_LINES = { stages: 8, read: 6, name: 3 };

/** Tool (and call id), outcome, stages passed, latency, and what the model reads, for a terminal of `width` columns. */
export function resultsTable(rows: readonly ResultRow[], width: number): string {
  return width < WIDE ? narrowTable(rows, width) : wideTable(rows, width);
}

function wideTable(rows: readonly ResultRow[], width: number): string {
  const tool = widest(
    rows.flatMap((row) => [row.tool, row.id]),
    8,
    20,
  );
  const outcome = widest(
    rows.flatMap((row) => row.outcome.split("\n")),
    9,
    19,
  );
  const [latency, borders] = [8, 16];
  const left = width - tool - outcome - latency - borders;
  const stages = Math.floor(left * 0.42);
  return renderTable(
    [
      { title: "tool, call id", width: Math.max(tool, 13), maxLines: MAX_LINES.name },
      { title: "outcome", width: outcome, maxLines: 2 },
      { title: "stages passed", width: stages, maxLines: MAX_LINES.stages },
      { title: "latency", width: latency, align: "right" },
      {
        title: "what the model reads",
        width: left - stages - Math.max(0, 13 - tool),
        maxLines: MAX_LINES.read,
      },
    ],
    rows.map((row) => [`${row.tool}\n${row.id}`, row.outcome, row.stages, row.latency, row.read]),
  );
}

/** Three columns: side by side, five would be too narrow to read. */
function narrowTable(rows: readonly ResultRow[], width: number): string {
  const left = width - 10;
  const first = Math.min(19, Math.floor(left * 0.34));
  const stages = Math.floor((left - first) * 0.4);
  return renderTable(
    [
      { title: "tool, call id, outcome, latency", width: first, maxLines: 8 },
      { title: "stages passed", width: stages, maxLines: MAX_LINES.stages },
      {
        title: "what the model reads",
        width: left - first - stages,
        maxLines: MAX_LINES.stages,
      },
    ],
    rows.map((row) => [
      [row.tool, row.id, row.outcome, row.latency].join("\n"),
      row.stages,
      row.read,
    ]),
  );
}

function widest(texts: readonly string[], least: number, most: number): number {
  return Math.min(most, Math.max(least, ...texts.map((text) => stringWidth(text))));
}
