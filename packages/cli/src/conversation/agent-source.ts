import { connectAgent, openAgent, type AgentHandle, type AgentOptions } from '@parley/host';
import { CliError } from '../cli-error.ts';
import { agentVariables, ownAgentName, type Configuration } from '../configuration/configuration.ts';
import type { AgentChoice } from './flags.ts';
import type { OwnAgentOptions } from './own-agent.ts';

/** Where an agent comes from. */
export type AgentSource =
  | { readonly kind: 'own'; readonly name: string }
  | {
      readonly kind: 'process';
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    };

/** Finds the agent that was asked for. */
export function findAgent(choice: AgentChoice, configuration: Configuration): AgentSource {
  switch (choice.kind) {
    case 'command':
      return { kind: 'process', name: choice.command, command: choice.command, args: choice.args, env: {} };
    case 'name':
      return findByName(choice.name, configuration);
    case 'default':
      return findByName(configuration.defaultAgent, configuration);
  }
}

function findByName(name: string, { agents }: Configuration): AgentSource {
  if (name === ownAgentName) return { kind: 'own', name };
  const entry = agents.get(name);
  if (entry === undefined) {
    const known = [ownAgentName, ...agents.keys()].join(', ');
    throw new CliError('usage', `there is no agent "${name}"; configured are: ${known}`);
  }
  if (entry.kind === 'remote') {
    throw new CliError('usage', `the agent "${name}" is remote, and this version cannot reach remote agents`);
  }
  return { kind: 'process', name, command: entry.command, args: entry.args, env: agentVariables(entry) };
}

/**
 * Starts the agent. Ours runs in this process: that is faster than a second one, and it ends with this one
 * whatever happens.
 */
export async function openSource(
  source: AgentSource,
  own: OwnAgentOptions,
  options: AgentOptions & { readonly cwd: string },
): Promise<AgentHandle> {
  if (source.kind === 'process') return openAgent({ ...options, ...source });
  const { connectOwnAgent } = await import('./own-agent.ts');
  return connectAgent({
    ...options,
    name: source.name,
    transport: connectOwnAgent(own),
    // No editor stands behind this command, so nothing would be gained by the detour. And what an agent does through
    // the client without asking is judged by the client's rules: what the modes of our agent allow would be refused.
    serves: { files: false, terminals: false },
  });
}
