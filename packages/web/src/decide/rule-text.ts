import type { RuledCalls } from '@parley/host/desk';
import type { Texts } from '../text/en.ts';

/** What a rule is about, in the words of the interface. */
export function ruleText(rule: RuledCalls, { kinds, rule: words }: Texts['decide']): string {
  const { tool, command, commandPrefix, path, host, agent } = rule;
  return [
    tool === '*' ? words.everything : isKind(tool, kinds) ? kinds[tool] : words.tool(quoted(tool)),
    ...(command === undefined ? [] : [words.command(quoted(command))]),
    ...(commandPrefix === undefined ? [] : [words.commandPrefix(quoted(commandPrefix))]),
    ...(path === undefined ? [] : [words.path(quoted(path))]),
    ...(host === undefined ? [] : [words.host(quoted(host))]),
    ...(agent === undefined ? [] : [words.agent(quoted(agent))]),
  ].join(' · ');
}

/** Where it begins and ends is plain, whatever is in it. */
function quoted(value: string): string {
  return JSON.stringify(value);
}

function isKind<Kinds extends object>(tool: string, kinds: Kinds): tool is Extract<keyof Kinds, string> {
  return Object.hasOwn(kinds, tool);
}
