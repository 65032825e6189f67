import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { RpcError, rpcCodes, shorten } from '@parley/wire';
import { otherSpelling } from './other-spelling.ts';

/**
 * Rejects the opening of a session with a folder that is not offered, or with a command to start on this machine:
 * clients may choose neither.
 *
 * @param isOffered Whether sessions may use a folder. @default folders in the workspaces
 * @throws {RpcError} -32602
 */
export async function refuseOpening(
  method: string,
  params: unknown,
  workspaces: readonly string[],
  isOffered: (folder: string) => Promise<boolean> = (folder) => isInside(folder, workspaces),
): Promise<void> {
  if (params === undefined || params === null) return;
  // Agents differ in what they make of what is not as ACP says: what cannot be judged here is not theirs to interpret.
  if (typeof params !== 'object' || Array.isArray(params)) {
    throw invalid(method, 'params: expected an object');
  }
  const odd = otherSpelling(params, openingFields);
  if (odd !== undefined) throw invalid(method, misspelled(odd));
  const { cwd, additionalDirectories, mcpServers }: OpeningParams = params;
  if (!isListOrNone(mcpServers)) throw invalid(method, 'mcpServers: expected a list');
  if (!isListOrNone(additionalDirectories)) throw invalid(method, 'additionalDirectories: expected a list');
  for (const server of mcpServers ?? []) {
    const field = typeof server === 'object' && server !== null && otherSpelling(server, serverFields);
    if (typeof field === 'string') throw invalid(method, misspelled(field));
    if (startsCommand(server)) {
      throw invalid(
        method,
        'an MCP server that is a command cannot be brought along from elsewhere; use one with a URL',
      );
    }
  }
  const directories = [...(cwd === undefined || cwd === null ? [] : [cwd]), ...(additionalDirectories ?? [])];
  for (const directory of directories) {
    if (typeof directory !== 'string') {
      throw invalid(method, 'cwd and additionalDirectories: expected paths');
    }
    if (!(await isOffered(directory))) {
      throw invalid(
        method,
        `${JSON.stringify(shorten(directory))} is in none of the folders that sessions may use here: ${workspaces.join(', ')}`,
        { path: directory === cwd ? 'cwd' : 'additionalDirectories' },
      );
    }
  }
}

const openingFields = ['cwd', 'additionalDirectories', 'mcpServers'];

const serverFields = ['type', 'name', 'url', 'headers', 'command', 'args', 'env'];

interface OpeningParams {
  readonly cwd?: unknown;
  readonly additionalDirectories?: unknown;
  readonly mcpServers?: unknown;
}

function isListOrNone(value: unknown): value is readonly unknown[] | null | undefined {
  return value === undefined || value === null || Array.isArray(value);
}

function misspelled(field: string): string {
  return `${JSON.stringify(field)} is not how ACP spells this field`;
}

/** Whether an MCP server starts a command. Only servers that are known to use a URL do not. */
function startsCommand(server: unknown): boolean {
  if (typeof server !== 'object' || server === null || 'command' in server) return true;
  return !('type' in server) || (server.type !== 'http' && server.type !== 'sse');
}

/** Whether a directory is one of the offered ones or below one, after resolving links. */
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
    // It is not there, or not ours to see: then no session works in it.
    return false;
  }
}

/** Whether two paths lead to the same directory. */
export async function isSameFolder(one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  try {
    return (await realpath(one)) === (await realpath(other));
  } catch {
    // One of them is not there.
    return false;
  }
}

function invalid(method: string, why: string, data?: object): RpcError {
  return new RpcError(rpcCodes.invalidParams, `${method}: ${why}`, data);
}
