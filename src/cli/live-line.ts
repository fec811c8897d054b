import type { Output } from "./io.ts";
import { cut } from "./printable.ts";

/** One line of a terminal that changes in place. */
export interface LiveLine {
  /** Shows `text` (already printable), cut to the width of the terminal. */
  readonly show: (text: string) => void;
  /** Takes the line away, so that something else can be written there. */
  readonly clear: () => void;
}

/** A live line on `output`; one that does nothing unless `enabled`. Its text never wraps into a second line. */
export function createLiveLine(output: Output, enabled: boolean): LiveLine {
  if (!enabled) return { show: () => {}, clear: () => {} };
  let shown = "";
  return {
    show: (text) => {
      const next = cut(text, output.columns() - 1);
      if (next === shown) return;
      shown = next;
      output.stream.write(`\r\u001b[2K${next}`);
    },
    clear: () => {
      if (shown === "") return;
      shown = "";
      output.stream.write("\r\u001b[2K");
    },
  };
}
