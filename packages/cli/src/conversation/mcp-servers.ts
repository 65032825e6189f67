import type { McpServer } from '@parley/acp';
import { searchPath, type AgentConnection } from '@parley/host';
import { findExecutable } from '@parley/workspace';
import { CliError } from '../cli-error.ts';
import type { Variables } from '../configuration/places.ts';
import { decodeInput, readInputFile } from '../input-file.ts';
import { toConfiguredProgram } from './agent/configured-program.ts';

/** Reads the file of `--mcp-config`: `{"mcpServers": {NAME: {command, args, env} | {url, headers}}}`. */
export async function readMcpServers(file: string, options: McpServerOptions): Promise<McpServer[]> {
  const label = `--mcp-config ${file}`;
  const bytes = await readInputFile(file, { label, code: 'configuration', signal: options.signal });
  // Loaded for the few that bring servers along.
  const { parseMcpServers } = await import('./parse-mcp-servers.ts');
  const servers = await parseMcpServers(decodeInput(bytes, { label, code: 'configuration' }), file);
  return Promise.all(servers.map((server) => withPath(server, file, options)));
}

/** What the servers of a file are read with. */
export interface McpServerOptions {
  /** The folder of the session: relative commands start there. */
  readonly cwd: string;
  readonly env: Variables;
  readonly signal: AbortSignal;
}

/** ACP v1, Session Setup: the command of a server is an absolute path. */
async function withPath(server: McpServer, file: string, options: McpServerOptions): Promise<McpServer> {
  if (!('command' in server)) return server;
  const { cwd, env } = options;
  const search = await searchPath(env, [process.cwd(), cwd]);
  const label = `${file}: the MCP server "${server.name}"`;
  const program = await toConfiguredProgram(server.command, { label, env, search });
  const command = await findExecutable(program, options);
  if (command !== undefined) return { ...server, command };
  throw new CliError('configuration', `${label}: no such command "${server.command}"`);
}

/** ACP v1, Session Setup: every agent takes servers over stdio, others only where it declares them. */
export function checkMcpServers(
  { name, capabilities: { mcpCapabilities } }: AgentConnection,
  servers: readonly McpServer[],
): void {
  for (const { type = 'stdio', name: server } of servers) {
    const takes = (type !== 'http' && type !== 'sse') || mcpCapabilities?.[type] === true;
    if (takes) continue;
    throw new CliError(
      'not-offered',
      `--mcp-config: ${name} does not take MCP servers over ${type}, as "${server}" is`,
    );
  }
}
