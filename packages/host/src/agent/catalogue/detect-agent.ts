import { homedir } from 'node:os';
import { runCommand } from '@parley/workspace';
import type { CatalogueEntry } from './catalogue-entry.ts';
import { findOnPath, type SearchVariables } from './search-path.ts';

/** How long a program may take to print its version. */
const versionTimeoutMs = 5000;

/** How much of what it prints is looked at. */
const versionBytes = 4096;

/** The program that fetches the packages of each kind. */
const managers = { npx: 'npm', uvx: 'uvx' } as const;

/** How an agent can be started on this machine. */
export type AgentPresence =
  | { readonly state: 'installed'; readonly command: string }
  /** A package manager that is here can fetch and start it. */
  | { readonly state: 'available'; readonly runner: 'npx' | 'uvx' }
  /** It has to be installed, or, where something is `missing`, that. */
  | { readonly state: 'absent'; readonly missing: readonly string[] };

/** Looks for an agent on `PATH`, without running anything. */
export async function detectAgent(entry: CatalogueEntry, env: SearchVariables): Promise<AgentPresence> {
  const missing: string[] = [];
  for (const command of entry.running.requires) {
    if ((await findOnPath(command, env)) === undefined) missing.push(command);
  }
  if (missing.length > 0) return { state: 'absent', missing };
  for (const name of entry.running.commands) {
    const command = await findOnPath(name, env);
    if (command !== undefined) return { state: 'installed', command };
  }
  for (const runner of ['npx', 'uvx'] as const) {
    if (entry.distribution[runner] === undefined) continue;
    if ((await findOnPath(managers[runner], env)) !== undefined) return { state: 'available', runner };
  }
  return { state: 'absent', missing };
}

/** Asks an installed agent for its version. Undefined when it cannot print it, or does not in time. */
export async function readAgentVersion(
  entry: CatalogueEntry,
  command: string,
  { env, signal, timeoutMs = versionTimeoutMs }: VersionOptions = {},
): Promise<string | undefined> {
  if (entry.running.versionArgs === undefined) return undefined;
  try {
    const { output } = await runCommand({
      command,
      args: entry.running.versionArgs,
      // Not in the user's current folder: a project may configure what runs in it.
      cwd: homedir(),
      // Nor what it has put on PATH: the first line of many programs looks there for node.
      ...(env !== undefined && { env: { PATH: env['PATH'] } }),
      limitBytes: versionBytes,
      timeoutMs,
      ...(signal !== undefined && { signal }),
    });
    return /(?<![\w.])v?(\d+\.\d+(?:\.\d+)*(?:[-+][\w.-]+)?)/u.exec(output)?.[1];
  } catch {
    // It cannot even be started: then it has no version; starting it reports why.
    return undefined;
  }
}

/** How a program is asked for its version. */
export interface VersionOptions {
  /** What it finds other programs by. @default the variables of this process */
  readonly env?: SearchVariables;
  readonly signal?: AbortSignal;
  /** @default 5000 */
  readonly timeoutMs?: number;
}
