import { h } from "./dom.ts";
import { formatCount, toText, visible } from "./format.ts";

/** How much of a text is shown before somebody asks for all of it, in UTF-16 code units. */
const SHOWN = 2_000;

/** A text or a value of unknown origin and length, as text. */
export function textBlock(value: unknown): HTMLElement {
  const text = visible(toText(value));
  const block = h("pre", { class: "text" });
  if (text.length <= SHOWN) {
    block.append(text === "" ? h("span", { class: "nothing" }, "(empty)") : text);
    return block;
  }
  block.append(`${text.slice(0, SHOWN)}…`);
  const all = h(
    "button",
    { type: "button", class: "all" },
    `Show all ${formatCount(text.length)} characters`,
  );
  const whole = h("div", {}, block, all);
  all.addEventListener("click", () => {
    block.replaceChildren(text);
    block.tabIndex = -1;
    block.focus();
    all.remove();
  });
  return whole;
}

/** Names and values in two columns; what is `undefined` is left out. */
export function facts(rows: readonly (readonly [name: string, value: unknown])[]): HTMLElement {
  const list = h("dl", { class: "facts" });
  for (const [name, value] of rows) {
    if (value === undefined) continue;
    const shown = value instanceof Node ? value : visible(toText(value));
    list.append(h("div", {}, h("dt", {}, name), h("dd", {}, shown)));
  }
  return list;
}

/** A part of the details. What cannot be shown (a record may be damaged) is said, and does not take the rest with it. */
export function section(title: string, build: () => readonly Node[]): HTMLElement {
  const part = h("section", { class: "part-of-call" }, h("h3", {}, title));
  try {
    part.append(...build());
  } catch (error) {
    part.append(
      h("p", { class: "broken" }, `This part of the record cannot be shown: ${String(error)}`),
    );
  }
  return part;
}
