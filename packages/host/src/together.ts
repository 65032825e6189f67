/** Waits for what of two things is not done yet. */
export function together(one: void | Promise<void>, other: void | Promise<void>): void | Promise<void> {
  if (one === undefined) return other;
  if (other === undefined) return one;
  return Promise.all([one, other]).then(() => undefined);
}
