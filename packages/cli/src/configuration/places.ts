import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

/** The process's variables, or a test's. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The user's own configuration file; `PARLEY_HOME`, then the XDG folder, decide where it is. */
export function userFile(env: Variables): string {
  const home = env['PARLEY_HOME'];
  if (home !== undefined && home !== '') return path.resolve(home, 'config.json');
  const xdg = env['XDG_CONFIG_HOME'];
  // XDG Base Directory: a relative path is invalid and must be ignored.
  const root = xdg !== undefined && path.isAbsolute(xdg) ? xdg : path.join(homedir(), '.config');
  return path.join(root, 'parley', 'config.json');
}

/** What outlives a command: `PARLEY_HOME`, else a folder of our own in the XDG state folder. */
export function stateFolder(env: Variables): string {
  const home = env['PARLEY_HOME'];
  if (home !== undefined && home !== '') return path.resolve(home);
  const xdg = env['XDG_STATE_HOME'];
  const root = xdg !== undefined && path.isAbsolute(xdg) ? xdg : path.join(homedir(), '.local', 'state');
  return path.join(root, 'parley');
}

/** Where the event logs of sessions are: `PARLEY_HOME`, else a folder of our own in the XDG state folder. */
export function eventLogsFolder(env: Variables): string {
  return inStateFolder(env, 'sessions');
}

/** Where recorded frames are of sessions that a database stores. */
export function framesFolder(env: Variables): string {
  return inStateFolder(env, 'frames');
}

/** Where `parley serve` keeps the sessions of applications. */
export function servedFolder(env: Variables): string {
  return inStateFolder(env, 'served');
}

/** The tokens that `parley serve` takes besides its own. */
export function tokensFile(env: Variables): string {
  return inStateFolder(env, 'tokens.json');
}

/** Where commands find the server that runs on this machine. */
export function hubFile(env: Variables): string {
  return inStateFolder(env, 'hub.json');
}

/** Where each `parley` that runs keeps a record of what it started. */
export function processesFolder(env: Variables): string {
  return inStateFolder(env, 'processes');
}

/** The user's remembered answers to permission requests. */
export function answersFile(env: Variables): string {
  return inStateFolder(env, 'permissions.json');
}

/** The sessions that users of the page pinned or archived. */
export function marksFile(env: Variables): string {
  return inStateFolder(env, 'session-marks.json');
}

/** The record of all decisions about permissions. */
export function auditFolder(env: Variables): string {
  return inStateFolder(env, 'audit');
}

/** The devices that a server notifies, and its key for that, in the folder of its store. */
export function pushFile(folder: string): string {
  return path.join(folder, 'push.json');
}

/** The model providers that the user connected, for Parley's own agent. */
export function modelsFile(env: Variables): string {
  return inStateFolder(env, 'models.json');
}

/** Which files of projects the user trusts. */
export function trustFile(env: Variables): string {
  return inStateFolder(env, 'trust.json');
}

/** What prepares a new worktree of the project, below its root. */
export function setupFile(root: string): string {
  return path.join(root, '.parley', 'setup');
}

/** The root of the git repository around a folder; undefined where there is none. */
export async function repositoryRoot(cwd: string): Promise<string | undefined> {
  const root = (await projectFolders(cwd)).at(-1);
  return root !== undefined && (await exists(path.join(root, '.git'))) ? root : undefined;
}

/** The agents the user imported, a file each, beside the configuration. */
export function agentsFolder(env: Variables): string {
  return path.join(path.dirname(userFile(env)), 'agents');
}

/** A folder that stays empty: `npx` looks for packages and settings there, and not in the project. */
export function packagesFolder(env: Variables): string {
  return inStateFolder(env, 'packages');
}

function inStateFolder(env: Variables, name: string): string {
  return path.join(stateFolder(env), name);
}

/** The user's instructions to our agent in every session, beside the configuration. */
export function userInstructionsFile(env: Variables): string {
  return path.join(path.dirname(userFile(env)), 'AGENTS.md');
}

/**
 * The project's configuration file for a session in `cwd`: in that folder, or, inside a git repository,
 * in the nearest folder above it that has one, up to the repository's root.
 */
export async function findProjectFile(cwd: string): Promise<string | undefined> {
  for (const folder of await projectFolders(cwd)) {
    const file = path.join(folder, '.parley', 'config.json');
    if (await exists(file)) return file;
  }
  return undefined;
}

async function projectFolders(cwd: string): Promise<string[]> {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    folders.push(folder);
    if (await exists(path.join(folder, '.git'))) return folders;
    if (folder === path.dirname(folder)) return [cwd];
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
