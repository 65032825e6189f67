import { execFile } from 'node:child_process';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import type { WorktreePlace } from './record.ts';

/** A repository with one commit, and a state folder beside it. */
export interface Repository extends AsyncDisposable {
  readonly root: string;
  readonly place: WorktreePlace;
  /** A path in the temporary folder around both. */
  outside(...names: readonly string[]): string;
  git(...args: readonly string[]): Promise<string>;
  write(name: string, text: string): Promise<void>;
  read(name: string): Promise<string>;
  /** Index, refs, reflog, stash and configuration, as git shows them. */
  state(): Promise<string>;
}

const identity = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

export async function runInGit(cwd: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd, env: { ...process.env, ...identity } });
  return stdout.trimEnd();
}

export async function repository(files: Readonly<Record<string, string>> = {}): Promise<Repository> {
  const directory = await temporaryDirectory();
  const root = directory.at('project');
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  };
  const git = (...args: readonly string[]): Promise<string> => runInGit(root, ...args);
  await mkdir(root);
  await git('init', '-q', '-b', 'main');
  await appendFile(path.join(root, '.git', 'config'), '[user]\n\tname = A\n\temail = a@example.com\n');
  for (const [name, text] of Object.entries({ 'a.txt': numbered(9), ...files })) await write(name, text);
  await git('add', '-A', '-f');
  await git('commit', '-q', '-m', 'first');
  return {
    root,
    place: { stateFolder: directory.at('state') },
    outside: (...names) => directory.at(...names),
    git,
    write,
    read: (name) => readFile(path.join(root, name), 'utf8'),
    state: async () =>
      [
        await git('ls-files', '-s'),
        await git('for-each-ref'),
        await git('reflog'),
        await git('stash', 'list'),
        await git('config', '--local', '--list'),
      ].join('\n'),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

/** Lines that say their number. */
export function numbered(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${String(index + 1)}\n`).join('');
}
