/** A message from the hub, which has the same version as this page: both come from the same server. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function fromHub<Value>(value: unknown): Value {
  // oxlint-disable-next-line typescript/consistent-type-assertions
  return value as Value;
}
