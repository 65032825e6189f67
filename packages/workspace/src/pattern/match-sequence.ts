/** A matcher for one item of a sequence, or `any` for any number of items. */
export type Wanted<Item> = 'any' | ((item: Item) => boolean);

/**
 * Checks whether a sequence matches a pattern. It backtracks only to the last `any`, which is sufficient, so its time
 * is bounded by the product of both lengths.
 */
export function matchesSequence<Item>(items: readonly Item[], wanted: readonly Wanted<Item>[]): boolean {
  let at = 0;
  let next = 0;
  let last: { at: number; readonly next: number } | undefined;
  for (let item = items[0]; at < items.length; item = items[at]) {
    const want = wanted[next];
    if (want === 'any') {
      next += 1;
      last = { at, next };
    } else if (want !== undefined && item !== undefined && want(item)) {
      at += 1;
      next += 1;
    } else if (last !== undefined) {
      last.at += 1;
      at = last.at;
      next = last.next;
    } else return false;
  }
  return wanted.slice(next).every((want) => want === 'any');
}
