import { UncheckableError } from "../patterns/guarded.ts";
import type { Given } from "./contract.ts";
import { CannotCheck } from "./fail.ts";

/** Does a text at this place fit? @throws CannotCheck when it takes too long to know */
export function testIn(given: Pick<Given, "at" | "data">, fits: () => boolean): boolean {
  try {
    return fits();
  } catch (thrown) {
    if (thrown instanceof UncheckableError) throw new CannotCheck(given, thrown.message);
    throw thrown;
  }
}
