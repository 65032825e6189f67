import type { ToolSpec } from '@parley/aap';
import type { Run } from '@parley/aap/server';
import { HostError, specSecrets } from '@parley/host';
import type { BridgeOptions } from './bridge-options.ts';

/** The name of the option that says in which of several workspaces a session works. */
export const workspaceOption = 'cwd';

/** The name of a tool that an application has for questions of the agent to its user. */
export const askUserTool = 'ask_user';

/** How to start a session's agent. A change requires a new process. */
export interface LaunchPlan {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly tools: readonly ToolSpec[];
  /** Whether the agent may ask the user of the application. */
  readonly asks: boolean;
}

/**
 * Plans how to start the agent for a run.
 *
 * @throws {HostError} `invalid-directory`: the session's workspace is no longer offered.
 */
export function planLaunch(
  bridge: BridgeOptions,
  { options, clientTools }: Pick<Run, 'options' | 'clientTools'>,
): LaunchPlan {
  const { workspaces } = bridge;
  const cwd = options[workspaceOption] ?? workspaces[0];
  if (cwd === undefined || !workspaces.includes(cwd)) {
    throw new HostError(
      'invalid-directory',
      'the directory of the session is not inside the folders that sessions may use',
    );
  }
  const variables = (bridge.options ?? []).flatMap(({ type, name, env, default: configured }) => {
    const given = options[name] ?? '';
    // Applications are not shown a configured secret, and so they leave it empty.
    const value = given === '' && type === 'secret' ? configured : given;
    return value === '' ? [] : [[env, value] as const];
  });
  return {
    cwd,
    env: Object.fromEntries(variables),
    tools: clientTools,
    asks: clientTools.some(({ name }) => name === askUserTool),
  };
}

/** The secrets of a session: secret options, and those of the agent. */
export function secretsOf(bridge: BridgeOptions, options: Run['options']): readonly string[] {
  const secretOptions = (bridge.options ?? []).filter(({ type }) => type === 'secret');
  return [
    ...specSecrets(bridge.spec),
    ...secretOptions.flatMap(({ name, default: value }) => [value, options[name] ?? '']),
  ];
}

/**
 * Whether an agent that was started for one plan can be used for another.
 *
 * @param canChangeTools Whether its tools can be changed while it is running.
 */
export function willDo(
  started: LaunchPlan,
  wanted: LaunchPlan,
  { canChangeTools }: { readonly canChangeTools: boolean },
): boolean {
  if (keyOf(started) !== keyOf(wanted)) return false;
  if (JSON.stringify(started.tools) === JSON.stringify(wanted.tools)) return true;
  return canChangeTools && (started.tools.length > 0 || wanted.tools.length === 0);
}

function keyOf({ env, asks }: LaunchPlan): string {
  return JSON.stringify([env, asks]);
}
