/**
 * A field that is spelled otherwise than one of these names, but that some agents take for it: JSON readers that ignore case (as Go's
 * does), and those that take `mcp_servers` for `mcpServers`. What is judged by a name must not be passed on under another.
 */
export function otherSpelling(fields: object, names: readonly string[]): string | undefined {
  const known = new Map(names.map((name) => [plain(name), name]));
  return Object.keys(fields).find((field) => {
    const name = known.get(plain(field));
    return name !== undefined && name !== field;
  });
}

/** Without case, separators, and letters that count as others where case is ignored (such as the long s). */
function plain(name: string): string {
  return name.normalize('NFKC').toLowerCase().replaceAll(/[_-]/gu, '');
}
