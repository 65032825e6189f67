/** One thing of a sequence, or with `any` as many as there are. */
export type Wanted<Item> = 'any' | ((item: Item) => boolean);

/**
 * Whether a sequence is what is wanted, one after the other. It remembers only the last `any`, as what stands before
 * it is as good as it can get: so it takes no longer than both lengths multiplied.
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
