/** What the hub says, which is of the same make as this page: it came from the same server, over our own connection. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function fromHub<Told>(value: unknown): Told {
  // oxlint-disable-next-line typescript/consistent-type-assertions
  return value as Told;
}
