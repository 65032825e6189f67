import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { rpcCodes, type RpcErrorObject } from '@parley/wire';

/** Methods that open a session in directories which the client names. */
export const openingMethods: ReadonlySet<string> = new Set([
  'session/new',
  'session/load',
  'session/resume',
  'session/fork',
]);

/**
 * Why a remote client may not open a session like that, if it may not. Nobody from elsewhere chooses a directory beyond those that are
 * offered, nor a command that starts here.
 */
export async function refuseOpening(
  method: string,
  params: unknown,
  workspaces: readonly string[],
): Promise<RpcErrorObject | undefined> {
  if (typeof params !== 'object' || params === null) return undefined;
  const { cwd, additionalDirectories, mcpServers }: OpeningParams = params;
  for (const server of toList(mcpServers)) {
    if (startsCommand(server)) {
      return invalid(
        method,
        'an MCP server that is a command cannot be brought along from elsewhere; use one with a URL',
      );
    }
  }
  for (const directory of [cwd, ...toList(additionalDirectories)]) {
    // What is no directory at all, the agent refuses by itself.
    if (typeof directory !== 'string') continue;
    if (!(await isInside(directory, workspaces))) {
      return invalid(
        method,
        `${JSON.stringify(directory)} is in none of the folders that sessions may use here: ${workspaces.join(', ')}`,
      );
    }
  }
  return undefined;
}

interface OpeningParams {
  readonly cwd?: unknown;
  readonly additionalDirectories?: unknown;
  readonly mcpServers?: unknown;
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Only what is known to be reached by a URL starts nothing. */
function startsCommand(server: unknown): boolean {
  if (typeof server !== 'object' || server === null || 'command' in server) return true;
  return !('type' in server) || (server.type !== 'http' && server.type !== 'sse');
}

/** Whether a directory is one of the offered ones, or below one, wherever links lead. */
export async function isInside(directory: string, workspaces: readonly string[]): Promise<boolean> {
  if (!path.isAbsolute(directory)) return false;
  try {
    const real = await realpath(directory);
    return workspaces.some((workspace) => {
      const below = path.relative(workspace, real);
      return (
        below === '' || (below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below))
      );
    });
  } catch {
    // It is not there, or not ours to see: then nobody works in it.
    return false;
  }
}

function invalid(method: string, why: string): RpcErrorObject {
  return { code: rpcCodes.invalidParams, message: `${method}: ${why}` };
}
