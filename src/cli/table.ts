import wrapAnsi from "wrap-ansi";
import { cut, pad } from "./printable.ts";

/** A column of {@link renderTable}. */
export interface Column {
  readonly title: string;
  /** Columns of the terminal for its text at the most, borders and padding not counted. */
  readonly width: number;
  readonly align?: "left" | "right";
  /** Lines that a cell may take before it is cut with an ellipsis. Default 1. */
  readonly maxLines?: number;
}

/** A table with borders; cells (already printable; line breaks are kept) are wrapped and cut to their columns. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string {
  const rule = (left: string, middle: string, right: string): string =>
    left + columns.map(({ width }) => "─".repeat(width + 2)).join(middle) + right;
  const head = toTextLines(
    columns,
    columns.map(({ title }) => title),
  );
  const body = rows.map((row) => toTextLines(columns, row));
  return [
    rule("┌", "┬", "┐"),
    ...[head, ...body].flatMap((lines, index) =>
      index === 0 ? lines : [rule("├", "┼", "┤"), ...lines],
    ),
    rule("└", "┴", "┘"),
  ].join("\n");
}

function toTextLines(columns: readonly Column[], row: readonly string[]): string[] {
  const cells = columns.map((column, index) => toCell(row[index] ?? "", column));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) => {
    const texts = columns.map(({ width, align }, index) => {
      const text = pad(cells[index]?.[at] ?? "", width);
      return align === "right" ? text.slice(text.trimEnd().length) + text.trimEnd() : text;
    });
    return `│ ${texts.join(" │ ")} │`;
  });
}

function toCell(text: string, { width, maxLines = 1 }: Column): string[] {
  const given = text.slice(0, width * (maxLines + 1) * 8);
  const lines = wrapAnsi(given, width, { hard: true }).split("\n");
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines - 1), cut(lines.slice(maxLines - 1).join(" "), width)];
}
