import type { Json } from "../../machines/index.ts";

/** How many values plain data has, itself included; counting stops beyond `most`. Not recursive. */
export function countNodes(data: Json, most: number): number {
  const open: Json[] = [data];
  let nodes = 0;
  while (open.length > 0 && nodes <= most) {
    const value = open.pop();
    nodes += 1;
    if (typeof value !== "object" || value === null) continue;
    const items: readonly Json[] = Object.values(value);
    if (nodes + open.length + items.length > most) return most + 1;
    open.push(...items);
  }
  return nodes;
}
