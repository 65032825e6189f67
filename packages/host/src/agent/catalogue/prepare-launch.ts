import type { AgentSpec } from '../agent-spec.ts';
import { entryName, type CatalogueEntry } from './catalogue-entry.ts';
import type { AgentPresence } from './detect-agent.ts';
import { installPackage } from './install-package.ts';
import { findOnPath, type SearchPath } from './search-path.ts';

/** Options for preparing an agent. */
export interface LaunchOptions {
  readonly search: SearchPath;
  /** Parley's folder for packages. */
  readonly packageFolder: string;
  /** Called before a missing package is installed. */
  readonly onInstall?: (specifier: string) => void;
  /** Called with the number of files that npm has downloaded. */
  readonly onProgress?: (fetched: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Returns how an agent is reached, after installing its npm package if necessary; undefined if it is not installed
 * and cannot be installed.
 *
 * @throws {HostError} `start-failed`: the installation failed.
 */
export async function prepareLaunch(
  entry: CatalogueEntry,
  presence: AgentPresence,
  { search, packageFolder, onInstall, onProgress, signal }: LaunchOptions,
): Promise<AgentSpec | undefined> {
  const { args, env: variables, signIn, asRoot, files, sandbox } = entry.running;
  const toSpec = (
    reach: { readonly command: string; readonly args: readonly string[]; readonly fetches?: string },
    own: Readonly<Record<string, string>>,
  ): AgentSpec => {
    // Where the `PATH` of this process has folders of a project, the agent gets one without them.
    const env = search.leftOut.length === 0 ? own : { PATH: search.env['PATH'] ?? '', ...own };
    return {
      name: entryName(entry),
      reach: { by: 'command', ...reach },
      env,
      // What the catalogue says is public.
      publicEnv: new Set(Object.keys(env)),
      ...(signIn !== undefined && { signIn }),
      ...(asRoot !== undefined && { asRoot }),
      ...(files !== undefined && { serves: { files } }),
      ...(sandbox !== undefined && {
        stateDirs: sandbox.stateDirs,
        hosts: sandbox.hosts,
        sandboxEnv: sandbox.env,
      }),
    };
  };
  if (presence.state === 'absent') return undefined;
  if (presence.state === 'installed') {
    return toSpec({ command: presence.command, args }, variables);
  }
  if (presence.state === 'fetched') {
    const { args: own = [], env = {} } = entry.distribution.npx ?? {};
    const { command, args: first } = presence.program;
    return toSpec({ command, args: [...first, ...own] }, env);
  }
  const distribution = entry.distribution[presence.runner];
  if (distribution === undefined) return undefined;
  switch (presence.runner) {
    case 'npx': {
      // Not npx: it runs what node_modules/.bin of the project and of the folders above it hold.
      const program = await installPackage(distribution.package, {
        packageFolder,
        env: search.env,
        ...(onInstall !== undefined && {
          onInstall: () => {
            onInstall(distribution.package);
          },
        }),
        ...(onProgress !== undefined && { onProgress }),
        ...(signal !== undefined && { signal }),
      });
      const { command } = program;
      return toSpec({ command, args: [...program.args, ...distribution.args] }, distribution.env);
    }
    case 'uvx': {
      // It reads nothing of a project.
      const command = await findOnPath('uvx', search.env);
      if (command === undefined) return undefined;
      const { package: fetches, args: own, env } = distribution;
      return toSpec({ command, args: [fetches, ...own], fetches }, env);
    }
  }
}
