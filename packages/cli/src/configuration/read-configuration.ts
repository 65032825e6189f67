import { defaultDelegationLimits, type DelegationLimits } from '@parley/host';
import { isNarrowing, layerRules, WorkspaceError } from '@parley/workspace';
import { CliError } from '../cli-error.ts';
import { decodeInput, isMissingFile, readInputFile } from '../input-file.ts';
import {
  ownAgentName,
  type ChangesConfiguration,
  type Configuration,
  type TeamConfiguration,
} from './configuration.ts';
import type { ConfigurationFile } from './parse-configuration.ts';
import { findProjectFile, userFile, type Variables } from './places.ts';
import { isKnownAgent, rightsOf, rightsOfTeam } from './project-rights.ts';
import { isTrusted, toFileContent, trust, type FileContent } from './trusted-files.ts';

/** Where the configuration is looked for, and how to warn and to ask the user. */
export interface ConfigurationOptions {
  /** The session's folder: the project is looked for there. */
  readonly cwd: string;
  readonly env: Variables;
  /** Given with `--config`: it replaces the user's file and the project's. */
  readonly file?: string;
  readonly warn: (message: string) => void;
  /** Asks the user whether to trust a project's file. @default not asked, and not trusted */
  readonly confirmTrust?: (wish: TrustWish) => Promise<boolean>;
}

/** A project's file that wants more than to narrow. */
export interface TrustWish {
  readonly file: string;
  /** What would count if it were trusted, one line each. */
  readonly rights: readonly string[];
}

/** Reads what the user and the project have configured. */
export async function readConfiguration(options: ConfigurationOptions): Promise<Configuration> {
  const { cwd, env, file, warn } = options;
  if (file !== undefined) return merge(await readFile(file), undefined, warn);
  const own = userFile(env);
  const projectFile = await findProjectFile(cwd);
  const user = await readIfThere(own);
  if (projectFile === undefined || projectFile === own) return merge(user, undefined, warn);
  const project = await readProject(projectFile);
  return merge(user, { ...project, isTrusted: await settleTrust(project, user, options) }, warn);
}

/** Reads the user's own file; nothing where there is none. */
export function readUserFile(env: Variables): Promise<ConfigurationFile | undefined> {
  return readIfThere(userFile(env));
}

/** A project's file that is read to be trusted, or not. */
export interface ProjectFile extends ReadProject {
  readonly rights: readonly string[];
}

/** Reads the project's file of a folder, with what it wants to be trusted for; nothing where there is none. */
export async function readProjectFile(cwd: string, env: Variables): Promise<ProjectFile | undefined> {
  const own = userFile(env);
  const file = await findProjectFile(cwd);
  if (file === undefined || file === own) return undefined;
  const project = await readProject(file);
  return { ...project, rights: rightsOf(project, await readIfThere(own)) };
}

/** Whether what the project wants beyond narrowing counts; what does not is said. */
async function settleTrust(
  project: ReadProject,
  user: ConfigurationFile | undefined,
  { env, warn, confirmTrust }: ConfigurationOptions,
): Promise<boolean> {
  const { file, content } = project;
  const rights = rightsOf(project, user);
  if (rights.length === 0) return false;
  try {
    if (await isTrusted(content, env)) return true;
    if ((await confirmTrust?.({ file, rights })) === true) {
      await trust(content, env);
      return true;
    }
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    warn(error.message);
  }
  // A cloned repository must not choose what runs, nor allow itself anything.
  const what = wideningParts(project, user).join(', ');
  warn(`${file}: ${what} ignored, because you have not trusted this file; see parley permissions trust`);
  return false;
}

type Project = ConfigurationFile & { readonly isTrusted: boolean };

function merge(
  user: ConfigurationFile | undefined,
  project: Project | undefined,
  warn: (message: string) => void,
): Configuration {
  for (const warning of [...(user?.warnings ?? []), ...(project?.warnings ?? [])]) warn(warning);
  if (project?.mcpHosts !== undefined) {
    warn(`${project.file}: serve.mcpHosts ignored; it only applies in your own configuration`);
  }
  if (project?.providers !== undefined) {
    warn(`${project.file}: providers ignored; they only apply in your own configuration`);
  }
  const isProjectTrusted = project?.isTrusted === true;
  const requestTimeoutMs = smaller(user?.requestTimeoutMs, project?.requestTimeoutMs);
  const startTimeoutMs = smaller(user?.startTimeoutMs, project?.startTimeoutMs);
  // The limit for a start is also that for opening a session, where that has none of its own.
  const openTimeoutMs = smaller(
    user?.openTimeoutMs ?? user?.startTimeoutMs,
    project?.openTimeoutMs ?? project?.startTimeoutMs,
  );
  const changes = mergeChanges(user?.changes, project?.changes);
  const team = mergeTeam(user?.team, project?.team, isProjectTrusted);
  const sandbox = {
    ...(user?.sandbox !== undefined && { user: user.sandbox }),
    ...(project?.sandbox !== undefined && { project: project.sandbox }),
  };
  const named = project?.defaultAgent;
  const isNamed = named !== undefined && (isProjectTrusted || isKnownAgent(named, user));
  return {
    defaultAgent: (isNamed ? named : user?.defaultAgent) ?? ownAgentName,
    // A name that the user has given keeps its meaning.
    agents: new Map([...(isProjectTrusted ? project.agents : []), ...(user?.agents ?? [])]),
    rules: layerRules(user?.rules ?? [], project?.rules ?? [], { isProjectTrusted }),
    // Where agents of a server connect to for others is its user's to say.
    ...(user?.mcpHosts !== undefined && { mcpHosts: user.mcpHosts }),
    // A project must not choose where prompts go.
    ...(user?.providers !== undefined && { providers: user.providers }),
    ...(changes !== undefined && { changes }),
    ...(team !== undefined && { team }),
    ...(Object.keys(sandbox).length > 0 && { sandbox }),
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
    ...(startTimeoutMs !== undefined && { startTimeoutMs }),
    ...(openTimeoutMs !== undefined && { openTimeoutMs }),
  };
}

function wideningParts(project: ConfigurationFile, user: ConfigurationFile | undefined): string[] {
  const { defaultAgent, agents, rules } = project;
  return [
    ...(defaultAgent === undefined || isKnownAgent(defaultAgent, user) ? [] : ['defaultAgent']),
    ...(agents.size === 0 ? [] : ['agents']),
    ...(rightsOfTeam(project, user).length === 0 ? [] : ['team']),
    ...(rules.every(isNarrowing) ? [] : ['rules that allow']),
  ];
}

/** A project may cover less than its user wants, never more. */
function mergeChanges(
  user: ChangesConfiguration | undefined,
  project: ChangesConfiguration | undefined,
): ChangesConfiguration | undefined {
  if (user === undefined || project === undefined) return user ?? project;
  const maxFileBytes = smaller(user.maxFileBytes, project.maxFileBytes);
  const maxBytes = smaller(user.maxBytes, project.maxBytes);
  return {
    enabled: user.enabled !== false && project.enabled !== false,
    ...(maxFileBytes !== undefined && { maxFileBytes }),
    ...(maxBytes !== undefined && { maxBytes }),
  };
}

/** Without trust, a project may leave out agents and lower limits; with it, it may name its own. */
function mergeTeam(
  user: TeamConfiguration | undefined,
  project: TeamConfiguration | undefined,
  isProjectTrusted: boolean,
): TeamConfiguration | undefined {
  if (project === undefined) return user;
  const { agents, ...limits } = isProjectTrusted ? project : narrowedLimits(user, project);
  const known = user?.agents ?? [];
  return { ...limits, agents: isProjectTrusted ? agents : agents.filter((name) => known.includes(name)) };
}

function narrowedLimits(user: TeamConfiguration | undefined, project: TeamConfiguration): TeamConfiguration {
  const maxDepth = narrowedLimit('maxDepth', user, project);
  const maxRunning = narrowedLimit('maxRunning', user, project);
  const maxTotal = narrowedLimit('maxTotal', user, project);
  return { agents: project.agents, maxDepth, maxRunning, maxTotal };
}

function narrowedLimit(
  limit: keyof DelegationLimits,
  user: TeamConfiguration | undefined,
  project: TeamConfiguration,
): number {
  const own = user?.[limit] ?? defaultDelegationLimits[limit];
  return Math.min(own, project[limit] ?? own);
}

/** A project may shorten a limit, never lengthen it. */
function smaller(user: number | undefined, project: number | undefined): number | undefined {
  if (user === undefined || project === undefined) return user ?? project;
  return Math.min(user, project);
}

async function readFile(file: string): Promise<ConfigurationFile> {
  return parseFile(await readInputFile(file, { label: file, code: 'configuration' }), file);
}

type ReadProject = ConfigurationFile & { readonly content: FileContent };

/** What is trusted is what was read, not what is there a moment later. */
async function readProject(file: string): Promise<ReadProject> {
  const bytes = await readInputFile(file, { label: file, code: 'configuration' });
  return { ...(await parseFile(bytes, file)), content: await toFileContent(file, bytes) };
}

async function parseFile(bytes: Uint8Array, file: string): Promise<ConfigurationFile> {
  // Loaded for a file that is there.
  const { parseConfiguration } = await import('./parse-configuration.ts');
  return parseConfiguration(decodeInput(bytes, { label: file, code: 'configuration' }), file);
}

async function readIfThere(file: string): Promise<ConfigurationFile | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof CliError && isMissingFile(error.cause)) return undefined;
    throw error;
  }
}
