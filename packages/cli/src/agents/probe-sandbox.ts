import type { AgentSpec, SandboxChoice } from '@parley/host';
import type { Configuration } from '../configuration/configuration.ts';
import { namesMode, namesNeeds } from '../configuration/sandbox-settings.ts';

/** Why a probe runs in a sandbox, or without one. */
export type ProbeSandboxReason =
  | 'flag'
  | 'configuration'
  | 'default'
  | 'not-local'
  | 'no-profile'
  | 'not-installed'
  | 'no-engine';

/** What held the agent of a probe, as its document says it. */
export type ProbedSandbox =
  | {
      readonly mode: Exclude<SandboxChoice, 'off'>;
      readonly engine: string;
      readonly reason: ProbeSandboxReason;
    }
  | { readonly mode: 'off'; readonly reason: ProbeSandboxReason };

/** The sandbox of a probe: a choice replaces what the configuration says. */
export interface ProbeSandboxChoice {
  readonly choice?: SandboxChoice;
  readonly reason: ProbeSandboxReason;
}

/** What decides the sandbox of a probe. */
export interface ProbeSandboxOptions {
  /** The value of `--sandbox`. */
  readonly typed?: SandboxChoice;
  readonly configuration: Pick<Configuration, 'sandbox'>;
  /** Whether this machine can hold an agent in a sandbox. */
  readonly canHold: () => Promise<boolean>;
}

/** Decides the sandbox of a probe. The default is `workspace` where it is known what the agent needs. */
export async function chooseProbeSandbox(
  { name, reach, hosts, stateDirs }: AgentSpec,
  { typed, configuration, canHold }: ProbeSandboxOptions,
): Promise<ProbeSandboxChoice> {
  if (typed !== undefined) return { choice: typed, reason: 'flag' };
  if (namesMode(configuration, name)) return { reason: 'configuration' };
  if (reach.by !== 'command') return { reason: 'not-local' };
  const hasProfile = hosts !== undefined || stateDirs !== undefined || namesNeeds(configuration, name);
  if (!hasProfile) return { reason: 'no-profile' };
  // A download needs hosts and folders that are not in the profile of the agent.
  if (reach.fetches !== undefined) return { reason: 'not-installed' };
  return (await canHold()) ? { choice: 'workspace', reason: 'default' } : { reason: 'no-engine' };
}

/** The sandbox of a probe in words. */
export function toSandboxText(sandbox: ProbedSandbox): string {
  if (sandbox.mode !== 'off') return `${sandbox.mode} (${sandbox.engine})`;
  return `off${offReasons[sandbox.reason] ?? ''}`;
}

const offReasons: Readonly<Partial<Record<ProbeSandboxReason, string>>> = {
  configuration: ', as configured',
  'not-local': ': Parley does not start it as a program',
  'no-profile': ': its hosts and state folders are not known',
  'not-installed': ': its package may have to be downloaded',
  'no-engine': ': not available on this machine, see parley doctor',
};
