import type { AgentSpec } from '../agent-spec.ts';
import { entryName, type CatalogueEntry } from './catalogue-entry.ts';
import type { AgentPresence } from './detect-agent.ts';
import { installPackage } from './install-package.ts';
import { findOnPath, type SearchPath } from './search-path.ts';

/** What a launch is prepared with. */
export interface LaunchOptions {
  readonly search: SearchPath;
  /** A folder of ours for packages. */
  readonly packageFolder: string;
  /** Called with a package that is not there, before it is installed. */
  readonly onInstall?: (specifier: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * How an agent is reached, whose npm package is installed where need be; undefined when it is not here and nothing can
 * fetch it.
 *
 * @throws {HostError} `start-failed`: its package could not be installed.
 */
export async function prepareLaunch(
  entry: CatalogueEntry,
  presence: AgentPresence,
  { search, packageFolder, onInstall, signal }: LaunchOptions,
): Promise<AgentSpec | undefined> {
  const { args, env: variables, signIn, files } = entry.running;
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
      ...(files !== undefined && { serves: { files } }),
    };
  };
  if (presence.state === 'absent') return undefined;
  if (presence.state === 'installed') {
    return toSpec({ command: presence.command, args }, variables);
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
