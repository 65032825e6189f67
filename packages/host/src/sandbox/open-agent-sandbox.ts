import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { WorkspaceError } from '@parley/workspace';
import type * as engines from '@parley/workspace/sandbox';
import type { Sandbox, SandboxNetwork, SandboxPlan, StartTrouble } from '@parley/workspace/sandbox';
import { HostError } from '../host-error.ts';
import { programPaths, type AgentCommandLine } from './program-paths.ts';
import type { SandboxHosts, SandboxSettings } from './sandbox-settings.ts';

/** The agent that is held, and the folders of its session. */
export interface HeldAgent extends AgentCommandLine {
  readonly name: string;
  /** The session's folders. */
  readonly folders: readonly string[];
  /** The socket of the proxy for the hosts of the settings. @default no host can be reached */
  readonly socketPath?: string;
  /** The socket on which tools are served to it. @default none are */
  readonly toolSocket?: string;
}

/**
 * Opens the sandbox of an agent. It applies to all processes that run for its session.
 *
 * @throws {HostError} `not-held`: this machine does not support the requested sandbox.
 */
export async function openAgentSandbox(settings: SandboxSettings, agent: HeldAgent): Promise<Sandbox> {
  const [{ openSandbox }, engine, paths] = await Promise.all([
    loadEngines(),
    loadEngines().then(({ findSandboxEngine }) =>
      findSandboxEngine({ env: process.env, projects: agent.folders }),
    ),
    pathsOf(settings, agent),
  ]);
  if (engine.name === 'none') {
    const { problem, advice } = engine;
    throw notHeld(agent.name, settings, problem, advice === undefined ? undefined : `Run ${advice}`);
  }
  try {
    const network = toNetwork(settings.network, agent.socketPath);
    const { toolSocket } = agent;
    const plan = {
      mode: settings.mode,
      ...paths,
      network,
      ...(toolSocket !== undefined && { toolSocket }),
    };
    return await openSandbox(plan, engine);
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    throw notHeld(agent.name, settings, error.message);
  }
}

/** Loads the engines, which only sandboxed agents need. */
export function loadEngines(): Promise<typeof engines> {
  return import('@parley/workspace/sandbox');
}

/** The error for an agent that is not started because it could not be held. */
export function notHeld(
  name: string,
  { mode }: Pick<SandboxSettings, 'mode'>,
  problem: string,
  advice = 'Run parley doctor to see what is missing',
): HostError {
  const reason = problem.replace(/\.$/u, '');
  return new HostError(
    'not-held',
    `${startOf(name, mode)}: ${reason}. ${advice}, or start it with --sandbox off`,
  );
}

/** An agent that its sandbox did not start. The message says what to do. */
export class SandboxFailed extends HostError {
  /** Whether a new sandbox may start it. */
  readonly isPassing: boolean;

  constructor(name: string, { mode }: Pick<SandboxSettings, 'mode'>, { message, isPassing }: StartTrouble) {
    super('not-held', `${startOf(name, mode)}: ${message.replace(/\.$/u, '')}`);
    this.isPassing = isPassing;
  }
}

function startOf(name: string, mode: string): string {
  return `start ${JSON.stringify(name)} in the sandbox (${mode})`;
}

/** The paths of a plan. */
async function pathsOf(
  settings: SandboxSettings,
  agent: HeldAgent,
): Promise<Omit<SandboxPlan, 'mode' | 'network' | 'toolSocket'>> {
  const { read } = settings;
  const [folders, stateDirs, write, readable, ofAgent, program, hide, ownState] = await Promise.all([
    real(agent.folders),
    creatable(settings.stateDirs),
    real(settings.write),
    read === 'all' ? read : real(read),
    programPaths(agent),
    existing(settings.program ?? []),
    real(settings.hide),
    real(settings.ownState),
  ]);
  return { folders, stateDirs, write, read: readable, program: [...ofAgent, ...program], hide, ownState };
}

function toNetwork(hosts: SandboxHosts, socket: string | undefined): SandboxNetwork {
  if (typeof hosts === 'string') return hosts;
  return socket === undefined ? 'off' : { socket, hosts };
}

/** Leaves out missing files: a sandbox would create them as folders. */
async function creatable(stateDirs: readonly string[]): Promise<readonly string[]> {
  const found = new Set(await existing(stateDirs));
  return (await real(stateDirs)).filter((each) => found.has(each) || path.extname(each) === '');
}

async function existing(files: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(files.map((file) => realpath(file).catch(() => undefined)));
  return found.filter((file) => file !== undefined);
}

/** The real paths of existing folders; other paths unchanged. */
async function real(paths: readonly string[]): Promise<readonly string[]> {
  return [...new Set(await Promise.all(paths.map((each) => realpath(each).catch(() => each))))];
}
