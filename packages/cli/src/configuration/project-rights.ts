import { isNarrowing, ruleWords } from '@parley/workspace';
import { ownAgentName } from './configuration.ts';
import type { ConfigurationFile } from './parse-configuration.ts';

/** What a project's file wants that only counts when the person trusts it; one line each, for the person. */
export function rightsOf(
  project: ConfigurationFile,
  person: ConfigurationFile | undefined,
): readonly string[] {
  const { agents, defaultAgent, rules } = project;
  return [
    ...Array.from(agents, ([name, entry]) => {
      if (entry.kind === 'remote') {
        const key = entry.tokenEnv === undefined ? '' : `, with the key in ${entry.tokenEnv}`;
        return `agent "${name}": talks to ${entry.url}${key}`;
      }
      const variables = [...entry.env.keys()];
      const words = [entry.command, ...entry.args].map((word) => JSON.stringify(word)).join(' ');
      return `agent "${name}": runs ${words}${variables.length === 0 ? '' : ` with ${variables.join(', ')}`}`;
    }),
    ...(defaultAgent === undefined || isKnownAgent(defaultAgent, person)
      ? []
      : [`default agent: "${defaultAgent}"`]),
    ...rules.filter((rule) => !isNarrowing(rule)).map((rule) => `rule: ${ruleWords(rule)}`),
  ];
}

/** A project may name one of the agents that the person has, without being trusted. */
export function isKnownAgent(name: string, person: ConfigurationFile | undefined): boolean {
  return name === ownAgentName || person?.agents.has(name) === true;
}
