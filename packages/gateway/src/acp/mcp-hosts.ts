import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { RpcError, rpcCodes } from '@parley/wire';
import { isPublicAddress, matchesHost } from '@parley/workspace';
import type { Scope } from '../access/token.ts';

/** The hosts that MCP servers of a remote client may have: an agent on this machine connects to them. */
export interface McpHostRules {
  /** Hosts that the configuration lists, such as `mcp.example.com`, `*.example.com` and `localhost:3001`. */
  readonly hosts: readonly string[];
  /** Of the client's token. With `admin`, public addresses may be used that are not listed. */
  readonly scope: Scope;
  /** Resolves a host name. @default the system's resolver */
  readonly addressesOf?: (name: string) => Promise<readonly string[]>;
}

/**
 * Rejects a session with MCP servers on hosts that are not allowed. A host name that is not listed is resolved here;
 * the agent resolves it again when it connects, and may get another address.
 *
 * @throws {RpcError} -32602
 */
export async function refuseMcpServers(method: string, params: unknown, rules: McpHostRules): Promise<void> {
  if (typeof params !== 'object' || params === null || !('mcpServers' in params)) return;
  const servers: readonly unknown[] = Array.isArray(params.mcpServers) ? params.mcpServers : [];
  for (const server of servers) {
    const why = await faultOf(server, rules);
    if (why !== undefined) throw new RpcError(rpcCodes.invalidParams, `${method}: ${why}`);
  }
}

async function faultOf(
  server: unknown,
  { hosts, scope, addressesOf = lookUp }: McpHostRules,
): Promise<string | undefined> {
  const address =
    typeof server === 'object' && server !== null && 'url' in server && typeof server.url === 'string'
      ? server.url
      : '';
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return 'an MCP server has no address with http:// or https://';
  }
  const { host, hostname } = url;
  if (hosts.some((pattern) => matchesHost(pattern, host, 'usual-ports') === true)) return undefined;
  const toDo = 'add it to "serve.mcpHosts" in the configuration of the server';
  if (scope !== 'admin') return `MCP servers on ${host} are not allowed here; ${toDo}`;
  const name = hostname.replace(/^\[(.*)\]$/u, '$1');
  const addresses = isIP(name) === 0 ? await addressesOf(name) : [name];
  if (addresses.length === 0) return `the address of the MCP server on ${host} is not known here`;
  if (addresses.every((each) => isPublicAddress(each))) return undefined;
  return `MCP servers on ${host} are not allowed here, as its address is not public; ${toDo}`;
}

async function lookUp(name: string): Promise<readonly string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } catch {
    // There is no such name, or no network.
    return [];
  }
}
