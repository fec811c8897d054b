/** A queue whose members may leave from anywhere; every operation takes constant time, averaged over many. */
export interface Fifo<T> {
  /** Joins the end. The place is good for `leave`. */
  readonly join: (item: T) => number;
  /** Leaves, from wherever it is. Places that were left already are ignored. */
  readonly leave: (place: number) => void;
  /** Who came first of those who are there. */
  readonly first: () => T | undefined;
  readonly size: () => number;
}

/** Emptied places at the front that are kept before the list is shortened. */
const SLACK = 1024;

/**
 * An empty queue. (A `Map` keeps the order too, but finding its first entry walks over all that were deleted before it.)
 */
export function createFifo<T>(): Fifo<T> {
  let items: (T | undefined)[] = [];
  let head = 0;
  let size = 0;
  /** The place of `items[0]`. */
  let base = 0;
  return {
    join(item) {
      items.push(item);
      size += 1;
      return base + items.length - 1;
    },
    leave(place) {
      const at = place - base;
      if (items[at] === undefined) return;
      items[at] = undefined;
      size -= 1;
      while (head < items.length && items[head] === undefined) head += 1;
      if (head > SLACK && head > items.length / 2) {
        items = items.slice(head);
        base += head;
        head = 0;
      }
    },
    first: () => items[head],
    size: () => size,
  };
}
