/** The part of the address that names a call. */
export function hrefOf(executionId: string): string {
  return `#/c/${encodeURIComponent(executionId)}`;
}

/** The call that an address names. */
export function idOf(hash: string): string | undefined {
  const [, id] = /^#\/c\/(.+)$/.exec(hash) ?? [];
  if (id === undefined) return undefined;
  try {
    return decodeURIComponent(id);
  } catch {
    return undefined;
  }
}
