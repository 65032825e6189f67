import { invalidParams } from '@parley/acp';
import type { McpServer } from '@parley/acp';

/** Rejects servers that cannot be started or reached with -32602, naming their index. Source document 001, C.2. */
export function checkMcpServers(servers: readonly McpServer[]): void {
  for (const [index, server] of servers.entries()) {
    const place = `mcpServers[${index}]`;
    // The parser reads a server with a command as stdio, also beside an unknown type.
    const type: string | undefined = server.type;
    if (type !== undefined && type !== 'http' && type !== 'sse') {
      throw invalidParams(`${place}.type`, 'http, sse or stdio');
    }
    checkFilled(server.name, `${place}.name`);
    if (server.type === undefined) checkFilled(server.command, `${place}.command`);
    else checkFilled(server.url, `${place}.url`);
  }
}

function checkFilled(value: string, path: string): void {
  if (value.trim() === '') throw invalidParams(path, 'a text that is not empty');
}
