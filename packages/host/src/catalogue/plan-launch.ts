import type { ServedResources } from '../agent/client-capabilities.ts';
import type { CatalogueEntry, SignIn } from './catalogue-entry.ts';
import { type AgentPresence, findOnPath, type SearchVariables } from './detect-agent.ts';

/** The command line of an agent. */
export interface AgentLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The package that is fetched first, unless it is there already. */
  readonly fetches?: string;
  readonly signIn?: SignIn;
  /** What it is served where that is not everything. */
  readonly serves?: ServedResources;
}

/** What a launch is planned with. */
export interface LaunchOptions {
  readonly env: SearchVariables;
  /** An empty folder of ours, which exists. */
  readonly packageFolder: string;
}

/** How to start an agent; undefined when it is not here and nothing can fetch it. */
export async function planLaunch(
  entry: CatalogueEntry,
  presence: AgentPresence,
  { env, packageFolder }: LaunchOptions,
): Promise<AgentLaunch | undefined> {
  const { args, env: variables, signIn, files } = entry.running;
  const known = {
    ...(signIn !== undefined && { signIn }),
    ...(files !== undefined && { serves: { files } }),
  };
  switch (presence.state) {
    case 'installed':
      return { command: presence.command, args, env: variables, ...known };
    case 'available': {
      const command = await findOnPath(presence.runner, env);
      const distribution = entry.distribution[presence.runner];
      if (command === undefined || distribution === undefined) return undefined;
      // npx would rather run what the project's node_modules hold, and take the registry its .npmrc names: with a
      // prefix it looks there instead. uvx reads nothing of a project.
      const own = presence.runner === 'npx' ? ['--yes', '--prefix', packageFolder] : [];
      return {
        command,
        args: [...own, distribution.package, ...distribution.args],
        env: distribution.env,
        fetches: distribution.package,
        ...known,
      };
    }
    case 'absent':
      return undefined;
  }
}
