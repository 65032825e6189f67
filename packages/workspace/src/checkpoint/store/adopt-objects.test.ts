import { execFile } from 'node:child_process';
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { openCheckpoints } from '../checkpoints.ts';
import { fingerprint, rewriteIndexLater, writeMany } from '../repository-files.fixture.ts';
import { toBytePath } from '../workspace-path.ts';
import { testWorkspace } from '../workspace.fixture.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('the first checkpoint of a repository copies unchanged files from its objects, and equals the files on disk', async () => {
  await using workspace = await testWorkspace();
  const { at, git, folder, stateDir } = workspace;
  await git('init', '-q');
  await git('config', 'filter.shout.clean', 'tr a-z A-Z');
  await writeMany(workspace);
  await workspace.write({
    '.gitattributes':
      '* text=auto\n*.crlf text eol=crlf\n*.loud filter=shout\n*.id ident\n*.wide working-tree-encoding=UTF-16LE\n',
    '.gitignore': '*.log\n',
    'a.crlf': 'one\r\ntwo\r\n',
    'b.loud': 'quiet\n',
    'c.id': '$Id: 1234 $\n',
    'd.wide': Buffer.from('wide\n', 'utf16le'),
    'e.log': 'ignored, and added\n',
    'same-size': 'one\n',
    assumed: 'one\n',
    'gone.txt': 'gone\n',
    'run.sh': '#!/bin/sh\n',
    'fö/ü.txt': 'umlaut\n',
  });
  await chmod(at('run.sh'), 0o755);
  await symlink('run.sh', at('link'));
  await git('add', '.');
  await git('add', '--force', 'e.log');
  await git('commit', '-qm', 'first');
  await workspace.write({ intended: 'later\n', untracked: 'u\n', 'f.log': 'ignored\n' });
  await git('add', '--intent-to-add', 'intended');
  await git('update-index', '--assume-unchanged', 'assumed');
  await rewriteIndexLater(workspace);
  const { mtime } = await stat(at('same-size'));
  await writeFile(at('same-size'), 'two\n');
  await utimes(at('same-size'), mtime, mtime);
  await writeFile(at('assumed'), 'two\n');
  await rm(at('gone.txt'));
  const repository = await fingerprint(at('.git'));
  const calls = await noteGit(at('..'));

  await using checkpoints = await openCheckpoints({ workspace: folder, stateDir });
  const first = await checkpoints.take();

  expect((await calls()).filter((call) => /^(fast-import|pack-objects)/u.test(call))).toHaveLength(1);
  expect(await fingerprint(at('.git'))).toEqual(repository);
  await rename(at('.git'), at('../moved'));
  const files = await checkpoints.entries(first.id);
  const named = files.map(({ path: name }) => toBytePath(name)).toSorted();
  const others = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory() && entry.name !== 'f.log')
    .map((entry) => toBytePath(path.relative(folder, path.join(entry.parentPath, entry.name))));
  expect(named).toEqual(others.toSorted());
  for (const file of files.filter(({ path: name }) => !toBytePath(name).startsWith('many/'))) {
    const name = Buffer.from(toBytePath(file.path), 'latin1').toString();
    const onDisk = name === 'link' ? Buffer.from(await readlink(at(name))) : await readFile(at(name));
    expect([name, (await checkpoints.read(file.blob)).toString('hex')]).toEqual([
      name,
      onDisk.toString('hex'),
    ]);
  }
  const sample = files.find(({ path: name }) => name === 'many/777');
  expect((await checkpoints.read(sample?.blob ?? '')).toString()).toBe('file 777\n');
});

test('files are read if objects of the repository are missing, or its index is damaged', async () => {
  await using workspace = await testWorkspace();
  const { at, git, folder, stateDir } = workspace;
  await git('init', '-q');
  await writeMany(workspace);
  await git('add', '.');
  await rewriteIndexLater(workspace);
  const id = (await git('rev-parse', ':many/5')).trim();
  await rm(at(`.git/objects/${id.slice(0, 2)}/${id.slice(2)}`));

  await using checkpoints = await openCheckpoints({ workspace: folder, stateDir });
  const first = await checkpoints.take();
  await writeFile(at('.git/index'), 'no index');
  await using others = await openCheckpoints({ workspace: folder, stateDir: at('../other-state') });

  expect(first.omitted).toEqual([]);
  expect(await others.take()).toMatchObject({ id: first.id, omitted: [] });
  const [file] = await checkpoints.entries(first.id, ['many/5']);
  expect((await checkpoints.read(file?.blob ?? '')).toString()).toBe('file 5\n');
});

test('a folder in a repository has the same checkpoint as a folder of its own', async () => {
  await using workspace = await testWorkspace();
  const { at, git, folder, stateDir } = workspace;
  await git('init', '-q');
  await writeMany(workspace, 'fö/inner/');
  await workspace.write({ 'outside.txt': 'o' });
  await git('add', '.');
  await git('commit', '-qm', 'first');
  await rewriteIndexLater(workspace);
  await using inside = await openCheckpoints({ workspace: path.join(folder, 'fö/inner'), stateDir });
  const first = await inside.take();
  expect(await inside.take()).toMatchObject({ id: first.id });
  await rename(at('fö/inner'), at('../plain'));

  await using outside = await openCheckpoints({ workspace: at('../plain'), stateDir });

  expect((await outside.take()).id).toBe(first.id);
});

/** Puts a git on the path that logs its arguments. */
async function noteGit(folder: string): Promise<() => Promise<readonly string[]>> {
  const { stdout } = await promisify(execFile)('sh', ['-c', 'command -v git']);
  const calls = path.join(folder, 'calls');
  await mkdir(path.join(folder, 'bin'));
  const script = `#!/bin/sh\necho "$*" >> ${calls}\nexec ${stdout.trim()} "$@"\n`;
  await writeFile(path.join(folder, 'bin', 'git'), script, { mode: 0o755 });
  vi.stubEnv('PATH', `${path.join(folder, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}`);
  return async () => (await readFile(calls, 'utf8')).split('\n');
}
