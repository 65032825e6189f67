import type { CommandHolder } from '@parley/agent/node';
import type { SandboxSettings } from '@parley/host';
import type { Configuration } from '../../configuration/configuration.ts';
import type { Variables } from '../../configuration/places.ts';
import { commandSandboxSettings } from '../../configuration/sandbox-settings.ts';

/** What holds the commands of our own agent in its mode `workspace-write`, if nothing holds the agent itself. */
export async function findCommandHolder(
  directories: readonly string[],
  configuration: Pick<Configuration, 'sandbox'>,
  env: Variables,
): Promise<CommandHolder | undefined> {
  const [cwd = '/'] = directories;
  const settings = commandSandboxSettings(configuration, env, cwd);
  if (settings === undefined || !(await canHold(cwd, env))) return undefined;
  const { approvesCommands, holdAlone } = await import('@parley/host');
  return {
    limits: limitsOf(settings),
    autoApprove: approvesCommands(settings),
    open: () =>
      holdAlone(settings, {
        name: 'a command',
        command: '/bin/sh',
        args: [],
        cwd,
        env: {},
        folders: directories,
      }),
  };
}

/** Whether this machine has an engine that holds. A sandbox in a sandbox is one that does not. */
export function canHold(cwd: string, env: Variables): Promise<boolean> {
  proof ??= prove(cwd, env);
  return proof;
}

/** Once in a process. */
let proof: Promise<boolean> | undefined;

async function prove(cwd: string, env: Variables): Promise<boolean> {
  const [{ findSandboxEngine }, { proveSandbox }] = await Promise.all([
    import('@parley/workspace/sandbox'),
    import('./prove-sandbox.ts'),
  ]);
  const engine = await findSandboxEngine({ env, projects: [cwd] });
  return engine.name !== 'none' && (await proveSandbox(engine)) === undefined;
}

function limitsOf({ mode, network }: SandboxSettings): string {
  const files =
    mode === 'read-only'
      ? 'they cannot write files, other than temporary ones'
      : "they cannot write outside of the session's folders";
  if (network === 'on') return files;
  return network === 'off'
    ? `${files}, and have no network`
    : `${files}, and reach only ${network.join(', ')}`;
}
