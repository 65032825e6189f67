import { isNarrowing, layerRules } from '@parley/workspace';
import { CliError } from '../cli-error.ts';
import { decodeInput, readInputFile } from '../input-file.ts';
import { type Configuration, ownAgentName } from './configuration.ts';
import { type ConfigurationFile, parseConfiguration } from './parse-configuration.ts';
import { findProjectFile, personFile, type Variables } from './places.ts';

export interface ConfigurationOptions {
  /** The session's folder: the project is looked for there. */
  readonly cwd: string;
  readonly env: Variables;
  /** Given with `--config`: it stands for the person's file and the project's. */
  readonly file?: string;
  readonly warn: (message: string) => void;
}

/** Reads what the person and the project have configured. */
export async function readConfiguration(options: ConfigurationOptions): Promise<Configuration> {
  const { cwd, env, file, warn } = options;
  if (file !== undefined) return merge(await readFile(file), undefined, warn);
  const own = personFile(env);
  const project = await findProjectFile(cwd);
  return merge(
    await readIfThere(own),
    project === undefined || project === own ? undefined : await readFile(project),
    warn,
  );
}

function merge(
  person: ConfigurationFile | undefined,
  project: ConfigurationFile | undefined,
  warn: (message: string) => void,
): Configuration {
  for (const warning of [...(person?.warnings ?? []), ...(project?.warnings ?? [])]) warn(warning);
  if (project !== undefined) {
    const ignored = wideningParts(project);
    // A repository somebody cloned must not choose what runs, nor allow itself anything.
    if (ignored.length > 0) {
      warn(`${project.file}: ${ignored.join(', ')} ignored: a project needs trust for that`);
    }
  }
  const requestTimeoutMs = smaller(person?.requestTimeoutMs, project?.requestTimeoutMs);
  const startTimeoutMs = smaller(person?.startTimeoutMs, project?.startTimeoutMs);
  return {
    defaultAgent: person?.defaultAgent ?? ownAgentName,
    agents: person?.agents ?? new Map(),
    rules: layerRules(person?.rules ?? [], project?.rules ?? []),
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
    ...(startTimeoutMs !== undefined && { startTimeoutMs }),
  };
}

function wideningParts(project: ConfigurationFile): string[] {
  return [
    ...(project.defaultAgent === undefined ? [] : ['defaultAgent']),
    ...(project.agents.size === 0 ? [] : ['agents']),
    ...(project.rules.every(isNarrowing) ? [] : ['rules that allow']),
  ];
}

/** A project may shorten a limit, never lengthen it. */
function smaller(person: number | undefined, project: number | undefined): number | undefined {
  if (person === undefined || project === undefined) return person ?? project;
  return Math.min(person, project);
}

async function readFile(file: string): Promise<ConfigurationFile> {
  const bytes = await readInputFile(file, { label: file, code: 'configuration' });
  return parseConfiguration(decodeInput(bytes, { label: file, code: 'configuration' }), file);
}

async function readIfThere(file: string): Promise<ConfigurationFile | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof CliError && isMissing(error.cause)) return undefined;
    throw error;
  }
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR');
}
