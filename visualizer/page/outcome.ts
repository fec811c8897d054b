import { h, svg } from "./dom.ts";

/** How a call ended: a sign, a word and a colour, so that no one of them is needed. */
export function outcomeBadge(success: boolean): HTMLElement {
  const sign = svg(
    "svg",
    { viewBox: "0 0 12 12", class: "sign", "aria-hidden": "true" },
    svg("path", { d: success ? "M2 6.5 5 9.5 10.5 3" : "M3 3 9 9 M9 3 3 9" }),
  );
  const word = success ? "succeeded" : "failed";
  return h("span", { class: `outcome ${word}` }, sign, word);
}
