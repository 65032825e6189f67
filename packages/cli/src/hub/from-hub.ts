/** What a hub says. It is of the same make as this command; the events in it are checked one by one. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function fromHub<Value>(value: unknown): Value {
  // oxlint-disable-next-line typescript/consistent-type-assertions
  return value as Value;
}
