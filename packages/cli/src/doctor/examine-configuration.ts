import { CliError } from '../cli-error.ts';
import { ownAgentName } from '../configuration/configuration.ts';
import type { ConfigurationFile } from '../configuration/parse-configuration.ts';
import { userFile, type Variables } from '../configuration/places.ts';
import { readVariablesFile } from '../configuration/project-variables.ts';
import { readConfiguration, readUserFile, readProjectFile } from '../configuration/read-configuration.ts';
import { isTrusted } from '../configuration/trusted-files.ts';
import { type Finding, note, ok, problem } from './finding.ts';

/** The configuration files, what each of them says, and what of it counts. */
export async function examineConfiguration(cwd: string, env: Variables): Promise<readonly Finding[]> {
  return [
    ...(await findings('configuration', () => examineUserFile(env))),
    ...(await findings('project', () => examineProject(cwd, env))),
    ...(await findings('.env', () => examineVariables(cwd, env))),
    ...(await findings('default agent', () => examineDefault(cwd, env))),
  ];
}

/** A file that cannot be read is a finding. */
async function findings(
  topic: string,
  examine: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await examine();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return [problem(topic, error.message, 'correct the file')];
  }
}

async function examineUserFile(env: Variables): Promise<readonly Finding[]> {
  const file = await readUserFile(env);
  if (file === undefined) return [ok('configuration', `${userFile(env)} does not exist`)];
  return [ok('configuration', `${file.file}: ${summary(file)}`), ...warningsOf('configuration', file)];
}

async function examineProject(cwd: string, env: Variables): Promise<readonly Finding[]> {
  const project = await readProjectFile(cwd, env);
  if (project === undefined) return [ok('project', 'has no .parley/config.json')];
  const { file, rights, content } = project;
  const said = `${file}: ${summary(project)}`;
  const warnings = warningsOf('project', project);
  if (rights.length === 0) return [ok('project', `${said}; only narrows, and needs no trust`), ...warnings];
  if (await isTrusted(content, env)) {
    return [ok('project', `${said}; trusted with its current content`), ...warnings];
  }
  return [
    note(
      'project',
      `${said}; not trusted: only its restrictions apply`,
      'run "parley permissions trust": it shows the effects of the file, and asks',
    ),
    ...warnings,
  ];
}

async function examineVariables(cwd: string, env: Variables): Promise<readonly Finding[]> {
  const variables = await readVariablesFile(cwd);
  if (variables === undefined) return [];
  const { file, content } = variables;
  if (await isTrusted(content, env)) return [ok('.env', `${file}: trusted with its current content`)];
  return [
    note(
      '.env',
      `${file}: not trusted, and not used`,
      'to let it choose the model, run "parley permissions trust": it shows what the file sets, and asks',
    ),
  ];
}

/** Which file names the agent that runs when none is named. */
async function examineDefault(cwd: string, env: Variables): Promise<readonly Finding[]> {
  const { defaultAgent } = await readConfiguration({ cwd, env, warn: () => undefined });
  const user = await readUserFile(env);
  const project = await readProjectFile(cwd, env);
  const places = [project, user].flatMap((file) => (file?.defaultAgent === defaultAgent ? [file.file] : []));
  const [place = defaultAgent === ownAgentName ? "Parley's own" : 'not configured'] = places;
  return [ok('default agent', `${defaultAgent} (${place})`)];
}

/** What a file says, counted and named; none of its values. */
function summary({
  defaultAgent,
  agents,
  rules,
  mcpHosts = [],
  changes = {},
  ...limits
}: ConfigurationFile): string {
  const parts = [
    ...(defaultAgent === undefined ? [] : [`default agent ${defaultAgent}`]),
    ...(agents.size === 0 ? [] : [`agents ${[...agents.keys()].join(', ')}`]),
    ...(rules.length === 0 ? [] : [`${String(rules.length)} ${rules.length === 1 ? 'rule' : 'rules'}`]),
    ...(mcpHosts.length === 0 ? [] : [`MCP servers on ${mcpHosts.join(', ')} for clients of parley serve`]),
    ...(changes.enabled === false ? ['changes of agents are not covered'] : []),
    ...(limits.startTimeoutMs === undefined ? [] : ['limit startSeconds']),
    ...(limits.openTimeoutMs === undefined ? [] : ['limit openSeconds']),
    ...(limits.requestTimeoutMs === undefined ? [] : ['limit requestSeconds']),
  ];
  return parts.length === 0 ? 'says nothing' : parts.join('; ');
}

function warningsOf(topic: string, { warnings }: ConfigurationFile): Finding[] {
  return warnings.map((warning) => note(topic, warning, 'correct the name of the field, or remove it'));
}
