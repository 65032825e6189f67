import { knownProviders, ProviderVariables } from '@parley/agent/node';
import type { Variables } from '../configuration/places.ts';
import { readTrustedVariables } from '../configuration/project-variables.ts';
import { type Finding, ok, problem } from './finding.ts';

/** Which model providers our own agent has: names, never keys. */
export async function examineProviders(cwd: string, env: Variables): Promise<readonly Finding[]> {
  const variables = new ProviderVariables(env, (await readTrustedVariables(cwd, env)).variables);
  const { chosen } = variables;
  const names = [...new Set([...(chosen === undefined ? [] : [chosen]), ...knownProviders])];
  const found = names.filter((name) => variables.find(name) !== undefined);
  if (chosen !== undefined && !found.includes(chosen)) {
    const prefix = chosen.toUpperCase().replace(/[^A-Z0-9]/gu, '_');
    return [
      problem(
        'models',
        `LLM_PROVIDER names ${chosen}, about which nothing else is set`,
        `set ${prefix}_API_KEY or ${prefix}_BASE_URL, or take LLM_PROVIDER away`,
      ),
    ];
  }
  const [first] = found;
  if (first === undefined) return [ok('models', 'no provider is set: the offline model answers')];
  return [ok('models', `${found.join(', ')}; ${first} answers unless another one is chosen`)];
}
