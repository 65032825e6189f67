import { defaultDelegationLimits } from '@parley/host';
import { isNarrowing, ruleWords } from '@parley/workspace';
import { ownAgentName, type AgentEntry } from './configuration.ts';
import type { ConfigurationFile } from './parse-configuration.ts';

/** What a project's file wants that only counts when the user trusts it, whole; one line each. */
export function rightsOf(project: ConfigurationFile, user: ConfigurationFile | undefined): readonly string[] {
  const { agents, defaultAgent, rules } = project;
  return [
    ...Array.from(agents).flatMap(([name, entry]) =>
      rightsOfAgent(entry).map((right) => `agent ${JSON.stringify(name)}: ${right}`),
    ),
    ...(defaultAgent === undefined || isKnownAgent(defaultAgent, user)
      ? []
      : [`default agent: ${JSON.stringify(defaultAgent)}`]),
    ...rightsOfTeam(project, user),
    ...rules.filter((rule) => !isNarrowing(rule)).map((rule) => `rule: ${ruleWords(rule)}`),
  ];
}

/** What of a project's team its user does not have: more agents, or higher limits. */
export function rightsOfTeam(
  { team }: Pick<ConfigurationFile, 'team'>,
  user: ConfigurationFile | undefined,
): readonly string[] {
  if (team === undefined) return [];
  const own = { ...defaultDelegationLimits, ...user?.team };
  const agents = team.agents.filter((name) => user?.team?.agents.includes(name) !== true);
  const limits = (['maxDepth', 'maxRunning', 'maxTotal'] as const).filter(
    (name) => (team[name] ?? 0) > own[name],
  );
  return [
    ...agents.map((name) => `team: may delegate to ${JSON.stringify(name)}`),
    ...limits.map((name) => `team: ${name} ${String(team[name])}`),
  ];
}

function rightsOfAgent(entry: AgentEntry): readonly string[] {
  const values = (words: string, pairs: Iterable<readonly [string, string]>): string[] =>
    Array.from(pairs, ([name, value]) => `${words} ${name}=${JSON.stringify(value)}`);
  switch (entry.kind) {
    case 'command':
      return [
        `runs ${[entry.command, ...entry.args].map((word) => JSON.stringify(word)).join(' ')}`,
        ...values('sets', entry.env),
        ...entry.options.flatMap(({ env, default: value = '' }) =>
          env === undefined ? [] : values('sets, unless you fill in another value,', [[env, value]]),
        ),
      ];
    case 'remote':
      return [
        `talks to ${entry.url}`,
        ...(entry.tokenEnv === undefined ? [] : [`sends the key in ${entry.tokenEnv}`]),
        ...values('sends', entry.headers),
      ];
  }
}

/** A project may name one of the agents that the user has, without being trusted. */
export function isKnownAgent(name: string, user: ConfigurationFile | undefined): boolean {
  return name === ownAgentName || user?.agents.has(name) === true;
}
