import { runCommand } from '@parley/workspace';
import type { CatalogueEntry } from './catalogue-entry.ts';
import { findFetchedPackage } from './install-package.ts';
import type { PackageCommand } from './installed-package.ts';
import { findOnPath, type SearchVariables } from './search-path.ts';
import { versionFolder } from './version-folder.ts';

/** Time limit for a program to print its version. */
const versionTimeoutMs = 5000;

/** Bytes of its output that are parsed. */
const versionBytes = 4096;

/** The program that fetches the packages of each kind. */
const managers = { npx: 'npm', uvx: 'uvx' } as const;

/** How an agent can be started on this machine. */
export type AgentPresence =
  | { readonly state: 'installed'; readonly command: string }
  /** Its npm package is installed in Parley's folder. */
  | { readonly state: 'fetched'; readonly program: PackageCommand }
  /** An installed package manager can download and start it. */
  | { readonly state: 'available'; readonly runner: 'npx' | 'uvx' }
  /** It, or the listed missing programs, must be installed. */
  | { readonly state: 'absent'; readonly missing: readonly string[] };

/**
 * Finds an agent on `PATH`, then among the packages that Parley installed. Runs nothing.
 *
 * @param packageFolder Parley's folder for packages.
 */
export async function detectAgent(
  entry: CatalogueEntry,
  env: SearchVariables,
  packageFolder: string,
): Promise<AgentPresence> {
  const missing: string[] = [];
  for (const command of entry.running.requires) {
    if ((await findOnPath(command, env)) === undefined) missing.push(command);
  }
  if (missing.length > 0) return { state: 'absent', missing };
  for (const name of entry.running.commands) {
    const command = await findOnPath(name, env);
    if (command !== undefined) return { state: 'installed', command };
  }
  const { npx } = entry.distribution;
  const program = npx === undefined ? undefined : await findFetchedPackage(npx.package, packageFolder);
  if (program !== undefined) return { state: 'fetched', program };
  for (const runner of ['npx', 'uvx'] as const) {
    if (entry.distribution[runner] === undefined) continue;
    if ((await findOnPath(managers[runner], env)) !== undefined) return { state: 'available', runner };
  }
  return { state: 'absent', missing };
}

/** Reads the version of an installed agent. Undefined if it cannot print it, or not in time. */
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
      cwd: await versionFolder(),
      // Not what a project has put on PATH: the first line of many programs looks there for node.
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

/** Options for reading a version. */
export interface VersionOptions {
  /** The variables of the program. @default those of this process */
  readonly env?: SearchVariables;
  readonly signal?: AbortSignal;
  /** @default 5000 */
  readonly timeoutMs?: number;
}
