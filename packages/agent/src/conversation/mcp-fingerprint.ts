import type { McpServer } from '@parley/acp';

/** Distinguishes lists of MCP servers, without keeping the secrets in it. The order counts, that of fields does not. */
export async function mcpFingerprint(servers: readonly McpServer[]): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(sorted(servers)));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, sorted(field)]));
}
