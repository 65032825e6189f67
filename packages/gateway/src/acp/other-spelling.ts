/**
 * Returns a field whose name differs from these names, but that some agents would read as one of them: JSON parsers
 * that ignore case, as in Go, and those that accept `mcp_servers` for `mcpServers`. A field that is checked by name
 * must not be passed on under another name.
 */
export function otherSpelling(fields: object, names: readonly string[]): string | undefined {
  const known = new Map(names.map((name) => [plain(name), name]));
  return Object.keys(fields).find((field) => {
    const name = known.get(plain(field));
    return name !== undefined && name !== field;
  });
}

/** The name without case, separators, and letters that equal others if case is ignored (such as the long s). */
function plain(name: string): string {
  return name.normalize('NFKC').toLowerCase().replaceAll(/[_-]/gu, '');
}
