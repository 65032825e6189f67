import { readFile, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { replaceFile } from '../../files/replace-file.ts';
import type { Git } from '../git.ts';
import { isSettled } from './scan.ts';

/** The folder whose settings apply, and where to cache the result. */
export interface UserExcludesRequest {
  readonly workspace: string;
  readonly memory: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Finds the file with the user's own ignore rules. Git is asked once, and again when one of its settings files has
 * changed.
 */
export async function findUserExcludes(git: Git, request: UserExcludesRequest): Promise<string> {
  const { memory, now } = request;
  const known = await readAnswer(memory);
  if (known !== undefined && known.state === (await stateOf(known.files, now))) return known.excludes;
  const { excludes, files } = await askGit(git, request);
  const state = files === undefined ? undefined : await stateOf(files, now);
  // Without its memory the next process asks again.
  if (state !== undefined) {
    await replaceFile(memory, JSON.stringify({ excludes, files, state })).catch(() => undefined);
  }
  return excludes;
}

interface Answer {
  readonly excludes: string;
  /** The settings files that it depends on, also those that do not exist. */
  readonly files: readonly string[];
  /** What they were. */
  readonly state: string;
}

async function readAnswer(memory: string): Promise<Answer | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(memory, 'utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    const { excludes, files, state }: Partial<Record<string, unknown>> = { ...value };
    if (typeof excludes !== 'string' || typeof state !== 'string' || !Array.isArray(files)) return undefined;
    return { excludes, state, files: files.filter((file) => typeof file === 'string') };
  } catch {
    return undefined;
  }
}

/** Stat data of settings files, and what names them; undefined where a later change could leave them the same. */
async function stateOf(files: readonly string[], now: number): Promise<string | undefined> {
  const stats = await Promise.all(files.map((file) => stat(file, { bigint: true }).catch(() => undefined)));
  if (stats.some((found) => found !== undefined && !isSettled(Number(found.ctimeMs), now))) return undefined;
  const texts = stats.map((found) =>
    found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`,
  );
  return JSON.stringify([process.env['HOME'], process.env['XDG_CONFIG_HOME'], ...texts]);
}

async function askGit(
  git: Git,
  { workspace }: UserExcludesRequest,
): Promise<Pick<Answer, 'excludes'> & Partial<Pick<Answer, 'files'>>> {
  const options = { gitDir: '', cwd: workspace, asUser: true };
  // A configuration that git cannot read names no file.
  const text = await git.run(['config', '--show-origin', '-z', '--list'], options).catch(() => '');
  const parts = Buffer.from(text, 'latin1').toString('utf8').split('\0');
  const settings = parts.flatMap((origin, index) => {
    const [key = '', ...value] = (parts[index + 1] ?? '').split('\n');
    return index % 2 === 0 && origin !== '' ? [{ origin, key, value: value.join('\n') }] : [];
  });
  const named = settings.findLast(({ key }) => key === 'core.excludesfile')?.value ?? '';
  if (/^(?:~[^/]|%\()/u.test(named)) {
    // In the folder of another user, or of git.
    const whole = await git.run(['config', '--path', '--get', 'core.excludesFile'], options).catch(() => '');
    return { excludes: path.resolve(workspace, Buffer.from(whole, 'latin1').toString('utf8').trimEnd()) };
  }
  const excludes = named === '' ? path.join(settingsFolder(), 'git', 'ignore') : expand(named, workspace);
  const files = settingsFiles(git, workspace, settings);
  return { excludes, ...(files !== undefined && { files }) };
}

interface Setting {
  readonly origin: string;
  readonly key: string;
  readonly value: string;
}

/** Undefined where other settings than these files decide. */
function settingsFiles(
  git: Git,
  workspace: string,
  settings: readonly Setting[],
): readonly string[] | undefined {
  const files = new Set([
    '/etc/gitconfig',
    path.resolve(git.program, '../../etc/gitconfig'),
    path.join(os.homedir(), '.gitconfig'),
    path.join(settingsFolder(), 'git', 'config'),
  ]);
  for (let folder = workspace; ; folder = path.dirname(folder)) {
    files.add(path.join(folder, '.git', 'config'));
    if (folder === path.dirname(folder)) break;
  }
  for (const { origin, key, value } of settings) {
    if (!origin.startsWith('file:')) return undefined;
    // By the branch, or by other remotes.
    if (/^includeif\.(?:onbranch|hasconfig):|^extensions\.worktreeconfig$/u.test(key)) return undefined;
    const file = path.resolve(workspace, origin.slice('file:'.length));
    files.add(file);
    if (/^include(?:if\..*)?\.path$/u.test(key)) files.add(expand(value, path.dirname(file)));
  }
  return [...files];
}

/** A path as git reads it in its settings. */
function expand(value: string, folder: string): string {
  return value.startsWith('~/') ? path.join(os.homedir(), value.slice(2)) : path.resolve(folder, value);
}

function settingsFolder(): string {
  const named = process.env['XDG_CONFIG_HOME'];
  return named === undefined || named === '' ? path.join(os.homedir(), '.config') : named;
}
