/** The name in an item of an unknown kind. */
export function nameOfUnknown(raw: unknown): string | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(raw));
  const name = fields.get('sessionUpdate') ?? fields.get('type');
  return typeof name === 'string' && name !== '' ? name.slice(0, 100) : undefined;
}
