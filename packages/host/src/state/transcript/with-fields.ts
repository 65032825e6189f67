/**
 * A copy with some fields changed. An object spread followed by a field is ten times slower in V8, and states are
 * copied for each event.
 */
export function withFields<T extends object>(value: T, fields: Partial<T>): T {
  return { ...value, ...fields };
}
