/** What a hub says. It is of the same make as this command; the events in it are checked one by one. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function fromHub<Told>(value: unknown): Told {
  // oxlint-disable-next-line typescript/consistent-type-assertions
  return value as Told;
}
