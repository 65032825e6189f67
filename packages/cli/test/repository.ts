import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  parley,
  temporaryFolder,
  toLines,
  type CommandOptions,
  type Finished,
  type Line,
} from './command.ts';

/** A repository with one commit; the state folder of commands is beside it. */
export interface TestRepository extends AsyncDisposable {
  readonly path: string;
  readonly home: string;
  git(...words: readonly string[]): Promise<string>;
  /** Runs `parley` in the repository. */
  parley(words: readonly string[], options?: CommandOptions): Promise<Finished>;
  /** Runs `parley run --format json` in the repository. */
  run(
    words: readonly string[],
    options?: CommandOptions,
  ): Promise<Finished & { readonly lines: readonly Line[] }>;
  /** What `parley worktrees list --json` lists. */
  worktrees(): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

export async function testRepository(files: Readonly<Record<string, string>> = {}): Promise<TestRepository> {
  const folder = await temporaryFolder();
  const root = path.join(folder.path, 'project');
  const home = path.join(folder.path, 'home');
  const git = async (...words: readonly string[]): Promise<string> => {
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
    return (await promisify(execFile)('git', [...identity, ...words], { cwd: root })).stdout.trimEnd();
  };
  await mkdir(root);
  await git('init', '-q', '-b', 'main');
  for (const [name, text] of Object.entries({ 'a.txt': 'one\n', ...files })) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
  await git('add', '-A', '-f');
  await git('commit', '-q', '-m', 'first');
  const run = (words: readonly string[], options: CommandOptions = {}): Promise<Finished> =>
    parley(words, { cwd: root, ...options, env: { PARLEY_HOME: home, ...options.env } });
  return {
    path: root,
    home,
    git,
    parley: run,
    run: async (words, options) => {
      const finished = await run(['run', '--format', 'json', ...words], options);
      return { ...finished, lines: toLines(finished.stdout) };
    },
    worktrees: async () => {
      const { stdout } = await run(['worktrees', 'list', '--json']);
      const listed = JSON.parse(stdout) as { worktrees: Readonly<Record<string, unknown>>[] };
      return listed.worktrees;
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
