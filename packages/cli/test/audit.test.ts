import { createHash } from 'node:crypto';
import { readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parley, scripted, temporaryFolder } from './command.ts';

type Entry = Readonly<Record<string, unknown>>;

interface Audit {
  readonly entries: readonly Entry[];
  readonly chain: Readonly<Record<string, unknown>>;
}

async function audit(cwd: string, ...words: string[]): Promise<Audit> {
  const { stdout } = await parley(['sessions', 'audit', '--json', ...words], { cwd });
  const { entries = [], chain }: Audit = JSON.parse(stdout);
  return { entries, chain };
}

async function onlyFile(cwd: string): Promise<string> {
  const folder = path.join(cwd, '.home', 'audit');
  const name = (await readdir(folder)).find((each) => each.endsWith('.log'));
  return path.join(folder, name ?? '');
}

test('each decision of a run is recorded with its request, and the chain can be verified', async () => {
  await using folder = await temporaryFolder();
  const cwd = await realpath(folder.path);
  await parley(['run', '--approve', 'edits', 'write a.txt: new\nrun echo "one two"'], { cwd });
  await parley(['run', '--approve', 'all', 'run echo two'], { cwd });

  const { entries, chain } = await audit(cwd);

  expect(entries).toMatchObject([
    {
      seq: 1,
      decision: 'allow',
      option: 'allow_once',
      by: 'flag',
      client: 'terminal',
      agent: 'parley',
      cwd,
      action: {
        kind: 'edit',
        files: [{ path: path.join(cwd, 'a.txt'), hash: createHash('sha256').update('new').digest('hex') }],
      },
    },
    {
      seq: 2,
      decision: 'reject',
      by: 'nobody',
      action: { command: { argv: 'echo "one two"', cwd, variables: [] } },
    },
    { seq: 3, decision: 'allow', action: { command: { argv: 'echo two' } } },
  ]);
  let previous = '0'.repeat(64);
  for (const { hash, ...entry } of entries) {
    expect(entry['previous']).toBe(previous);
    previous = createHash('sha256').update(JSON.stringify(entry)).digest('hex');
    expect(hash).toBe(previous);
  }
  expect(chain).toMatchObject({ intact: true, entries: 3, breaks: [], end: { seq: 3, hash: previous } });
  const first = String(entries[0]?.['session']);
  expect((await audit(cwd, first.slice(0, 20))).entries.map(({ seq }) => seq)).toEqual([1, 2]);
});

test('variables are recorded by name only', async () => {
  await using folder = await temporaryFolder();
  const cwd = await realpath(folder.path);
  const env = [{ name: 'SECRET_KEY', value: 'hunter2' }];
  const params = { command: 'true', args: ['x'], env };
  const script = { prompt: [{ ask: { method: 'terminal/create', params } }] };

  await parley(['run', '--approve', 'reads', 'go', '--', ...scripted(script)], { cwd });

  const text = await readFile(await onlyFile(cwd), 'utf8');
  expect(text).toContain('SECRET_KEY');
  expect(text).not.toContain('hunter2');
});

test('verification finds a modified record and its position', async () => {
  await using folder = await temporaryFolder();
  const cwd = await realpath(folder.path);
  await parley(['run', '--approve', 'all', 'run echo one\nrun echo two\nrun echo three'], { cwd });
  const file = await onlyFile(cwd);
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await parley(['sessions', 'audit', '--verify'], { cwd })).toMatchObject({ status: 0 });

  await writeFile(file, (await readFile(file, 'utf8')).replace('echo two', 'echo 222'));

  const verified = await parley(['sessions', 'audit', '--verify'], { cwd });
  expect(verified.status).toBe(1);
  expect(verified.stdout).toContain('after #1, in line 3');
  expect((await audit(cwd, '--verify')).chain).toMatchObject({ intact: false });
});

test('the text output shows who allowed what', async () => {
  await using folder = await temporaryFolder();
  const cwd = await realpath(folder.path);
  await parley(['run', '--approve', 'all', 'run echo one'], { cwd });

  const { stdout, status } = await parley(['sessions', 'audit'], { cwd });

  expect(status).toBe(0);
  expect(stdout).toContain(`execute echo one in ${cwd}`);
  expect(stdout).toContain('by flag: the approval level "all" covers execute');
  expect(await parley(['sessions', 'audit', 'nothing'], { cwd })).toMatchObject({ status: 2 });
});
