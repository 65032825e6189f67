import { isJsonObject } from '@parley/wire';
import type { McpServer } from '../../schema/v1/unstable.ts';
import { byAgent, type Declared, type Gate } from './gate.ts';
import { type Objection, undeclared } from './objection.ts';

/** ACP v1, Session Setup: an MCP server over something else than stdio only as the agent declared. */
export function checkMcpServers(
  { mcpServers = [] }: { readonly mcpServers?: readonly McpServer[] },
  declared: Declared,
): Objection | undefined {
  for (const [index, server] of mcpServers.entries()) {
    const gate = gates.get(server.type ?? 'stdio');
    if (gate?.isOpen(declared) === false) return undeclared(`mcpServers[${index}].type`, gate, server.type);
  }
  return undefined;
}

/** MCP over the connection itself. */
export const mcpOverAcp: Gate = byAgent('mcpCapabilities.acp', (agent) => agent.mcpCapabilities?.acp);

/**
 * The params without their MCP servers over ACP. Only the unstable protocol has such servers, but an agent that declares them
 * reads them, also if the rest of the connection is stable.
 */
export function withoutMcpOverAcp(params: unknown, declared: Declared): unknown {
  if (!isJsonObject(params) || !mcpOverAcp.isOpen(declared)) return params;
  const { mcpServers } = params;
  if (!Array.isArray(mcpServers)) return params;
  return { ...params, mcpServers: mcpServers.filter((server) => !isOverAcp(server)) };
}

function isOverAcp(server: unknown): boolean {
  if (!isJsonObject(server) || server['type'] !== 'acp') return false;
  return typeof server['name'] === 'string' && typeof server['serverId'] === 'string';
}

const gates: ReadonlyMap<string, Gate> = new Map([
  ['http', byAgent('mcpCapabilities.http', (agent) => agent.mcpCapabilities?.http)],
  ['sse', byAgent('mcpCapabilities.sse', (agent) => agent.mcpCapabilities?.sse)],
  ['acp', mcpOverAcp],
]);
