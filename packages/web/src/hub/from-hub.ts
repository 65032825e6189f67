/** What the hub says, which is of the same make as this page: it came from the same server, over our own connection. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function fromHub<Value>(value: unknown): Value {
  // oxlint-disable-next-line typescript/consistent-type-assertions
  return value as Value;
}
