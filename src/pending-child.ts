import type { ChildLogic, Settled } from "../machines/index.ts";
import { toErrorFacts } from "./error-facts.ts";
import { createSettlingChild } from "./settling-child.ts";

/**
 * The child of a stage whose work turned out to be asynchronous: waits for the promise that the stage left for it under
 * its call's actor. Promises are live values and never enter the context.
 */
export function createPendingChild<T>(
  promises: WeakMap<object, PromiseLike<T>>,
): ChildLogic<Settled<T>> {
  return createSettlingChild<Settled<T>>({
    start({ parent, settle }) {
      const promise = promises.get(parent);
      promises.delete(parent);
      if (promise === undefined) return;
      promise.then(
        (value) => settle({ status: "fulfilled", value }),
        (error: unknown) => settle({ status: "rejected", error: toErrorFacts(error) }),
      );
    },
  });
}
