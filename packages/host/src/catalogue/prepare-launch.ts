import type { ServedResources } from '../agent/client-capabilities.ts';
import type { CatalogueEntry, SignIn } from './catalogue-entry.ts';
import type { AgentPresence } from './detect-agent.ts';
import { installPackage } from './install-package.ts';
import { findOnPath, type SearchPath } from './search-path.ts';

/** The command line of an agent. */
export interface AgentLaunch {
  readonly command: string;
  readonly args: readonly string[];
  /** Holds a `PATH` where that of this process has folders of a project. */
  readonly env: Readonly<Record<string, string>>;
  /** The package that is fetched at its start, unless it is there already. */
  readonly fetches?: string;
  readonly signIn?: SignIn;
  /** What it is served where that is not everything. */
  readonly serves?: ServedResources;
}

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
 * How to start an agent, whose npm package is installed where need be; undefined when it is not here and nothing can
 * fetch it.
 *
 * @throws {HostError} `start-failed`: its package could not be installed.
 */
export async function prepareLaunch(
  entry: CatalogueEntry,
  presence: AgentPresence,
  { search, packageFolder, onInstall, signal }: LaunchOptions,
): Promise<AgentLaunch | undefined> {
  const { args, env: variables, signIn, files } = entry.running;
  const known = {
    ...(signIn !== undefined && { signIn }),
    ...(files !== undefined && { serves: { files } }),
  };
  const withPath = (own: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    search.leftOut.length === 0 ? own : { PATH: search.env['PATH'] ?? '', ...own };
  if (presence.state === 'absent') return undefined;
  if (presence.state === 'installed') {
    return { command: presence.command, args, env: withPath(variables), ...known };
  }
  const distribution = entry.distribution[presence.runner];
  if (distribution === undefined) return undefined;
  const env = withPath(distribution.env);
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
      return { command: program.command, args: [...program.args, ...distribution.args], env, ...known };
    }
    case 'uvx': {
      // It reads nothing of a project.
      const command = await findOnPath('uvx', search.env);
      if (command === undefined) return undefined;
      return {
        command,
        args: [distribution.package, ...distribution.args],
        env,
        fetches: distribution.package,
        ...known,
      };
    }
  }
}
