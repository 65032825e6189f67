import { invalidParams } from '@parley/acp';
import type { McpServer } from '@parley/acp';

/** Rejects servers that cannot be started or reached with -32602, naming their index. Source document 001, C.2. */
export function checkMcpServers(servers: readonly McpServer[]): void {
  for (const [index, server] of servers.entries()) {
    checkFilled(server.name, `mcpServers[${index}].name`);
    if ('url' in server) checkFilled(server.url, `mcpServers[${index}].url`);
    else checkFilled(server.command, `mcpServers[${index}].command`);
  }
}

function checkFilled(value: string, path: string): void {
  if (value.trim() === '') throw invalidParams(path, 'a text that is not empty');
}
