import { parseRemoteAddress } from '@parley/host';
import { findExecutable } from '@parley/workspace';
import { findKnownAgents, isHere, readVersions, type KnownAgent } from '../agents/known-agent.ts';
import { readImported } from '../catalogue/read-catalogue.ts';
import { whatIsMissing } from '../catalogue/what-is-missing.ts';
import { CliError } from '../cli-error.ts';
import type { AgentEntry } from '../configuration/configuration.ts';
import type { Variables } from '../configuration/places.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Finding, note, ok, problem } from './finding.ts';

/** Which agents are installed, and whether those that are configured can be started. */
export async function examineAgents(surroundings: Surroundings): Promise<readonly Finding[]> {
  const { cwd, env } = surroundings;
  const warnings: Finding[] = [];
  await readImported(env, (_code, message) => {
    warnings.push(note('imported agents', message, 'import it again, or remove the file'));
  });
  try {
    const { agents, configuration } = await findKnownAgents(surroundings, () => undefined);
    const configured = await Promise.all(agents.map((agent) => examineConfigured(agent, cwd, env)));
    const wanted = agents.find(({ name }) => name === configuration.defaultAgent);
    return [
      await examineInstalled(agents, surroundings),
      ...configured.flat(),
      ...examineWanted(configuration.defaultAgent, wanted),
      ...warnings,
    ];
  } catch (error) {
    // What is wrong with the configuration is a finding of its own.
    if (error instanceof CliError) return warnings;
    throw error;
  }
}

async function examineInstalled(agents: readonly KnownAgent[], { cwd, env }: Surroundings): Promise<Finding> {
  const installed = agents.filter((agent) => agent.kind === 'catalogue' && isHere(agent.presence));
  if (installed.length === 0) {
    return note(
      'agents',
      'no agent is installed besides Parley',
      '"parley agents" lists the available agents',
    );
  }
  const versions = await readVersions(installed, { cwd, env });
  return ok(
    'agents',
    installed.map(({ name }) => [name, versions.get(name) ?? ''].join(' ').trim()).join(', '),
  );
}

async function examineConfigured(agent: KnownAgent, cwd: string, env: Variables): Promise<Finding[]> {
  if (agent.kind !== 'configured') return [];
  const topic = `agent ${agent.name}`;
  if (agent.agent.kind === 'remote') {
    return [examineRemote(topic, agent.agent, env)];
  }
  const { command } = agent.agent;
  if ((await findExecutable(command, { cwd, env })) !== undefined) return [ok(topic, command)];
  return [problem(topic, `the program "${command}" was not found`, 'install it, or correct its "command"')];
}

/** The user is not asked: an examination reveals nothing to a remote agent. */
function examineRemote(
  topic: string,
  { url, tokenEnv }: Extract<AgentEntry, { readonly kind: 'remote' }>,
  env: Variables,
): Finding {
  const address = parseRemoteAddress(url);
  if (address !== undefined && tokenEnv !== undefined && (env[tokenEnv] ?? '') === '') {
    return problem(topic, `${address.name}: ${tokenEnv} is not set`, 'set it to the key for that server');
  }
  if (address !== undefined) return ok(topic, address.name);
  return problem(
    topic,
    'its "url" does not begin with https:// or wss://',
    'correct it; the variable of "tokenEnv" is for a key',
  );
}

/** Whether the agent that runs when none is named can be started. */
function examineWanted(name: string, agent: KnownAgent | undefined): Finding[] {
  if (agent === undefined) {
    const advice = 'set "defaultAgent" to a name that "parley agents" lists';
    return [problem('default agent', `no agent "${name}"`, advice)];
  }
  if (agent.kind !== 'catalogue' || agent.presence.state !== 'absent') return [];
  const reason = whatIsMissing(agent.entry, agent.presence);
  return [problem('default agent', `${agent.entry.name} cannot be started`, reason)];
}
