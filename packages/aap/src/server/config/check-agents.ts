import { Invalid } from '@parley/wire';
import type { AgentInfo, AgentOption } from '../../agent-info.ts';
import { parseStrict } from '../../schema/parse.ts';
import type { ServedAgent } from '../served-agent.ts';
import { AapServerError } from '../server-error.ts';

/** Rejects agents that cannot be distinguished, or whose description applications could not use. */
export function checkAgents(agents: readonly ServedAgent[]): void {
  const names = new Set<string>();
  for (const { info } of agents) {
    if (names.has(info.name)) throw invalid(info, 'there is another of that name');
    names.add(info.name);
    checkInfo(info);
  }
}

function checkInfo(info: AgentInfo): void {
  const parsed = parseStrict('AgentInfo', info);
  if (parsed instanceof Invalid) throw invalid(info, parsed.message);
  if (!semanticVersion.test(info.version)) {
    throw invalid(info, `its version ${JSON.stringify(info.version)} is not a semantic version`);
  }
  expectUnique(info, 'tool', info.tools ?? []);
  expectUnique(info, 'option', info.options ?? []);
  for (const option of info.options ?? []) checkOption(info, option);
}

function checkOption(info: AgentInfo, option: AgentOption): void {
  if (option.type === 'select' && !option.options.includes(option.default)) {
    throw invalid(info, `the default of its option ${JSON.stringify(option.name)} is not one of its values`);
  }
}

function expectUnique(info: AgentInfo, what: string, list: readonly { readonly name: string }[]): void {
  const names = new Set<string>();
  for (const { name } of list) {
    if (names.has(name)) throw invalid(info, `it has more than one ${what} ${JSON.stringify(name)}`);
    names.add(name);
  }
}

function invalid({ name }: AgentInfo, why: string): AapServerError {
  return new AapServerError('invalid-agent', `agent ${JSON.stringify(name)}: ${why}`);
}

const semanticVersion = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;
