/** The fields of an unvalidated value; an empty object if it is not an object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The session that params or a result name, or `''`. */
export function sessionIdOf(value: unknown): string {
  const { sessionId } = fieldsOf(value);
  return typeof sessionId === 'string' ? sessionId : '';
}
