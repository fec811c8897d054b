/** A name without differences of case and separators. Any other character, also an invisible one, stays a difference. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_. /:]/g, "");
}
