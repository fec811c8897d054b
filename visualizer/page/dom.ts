/** What an element may hold. Texts become text nodes: nothing in this page turns a text into markup. */
export type Child = Node | string | number | undefined;

/** Attributes of an element; those that are `undefined` or `false` are left out, `true` is an empty one. */
export interface Attributes {
  readonly [name: string]: string | number | boolean | undefined;
}

/** Makes an HTML element. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/** Makes an SVG element. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes, children);
  return element;
}

function fill(element: Element, attributes: Attributes, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (child !== undefined) element.append(typeof child === "number" ? String(child) : child);
  }
}

/** An element of the page's own markup. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element ${id}.`);
  return element;
}
