import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import type { ChainReport } from './chain-file.ts';
import { openChainedLog, readChainedLog } from './chained-log.ts';
import { recordText, toLine } from './log-line.ts';

const format = { name: 'test', version: 1 };

type Entry = Readonly<Record<string, unknown>>;

async function readAll(directory: string): Promise<{
  readonly entries: readonly Entry[];
  readonly hashes: readonly string[];
  readonly report: ChainReport;
}> {
  const entries: Entry[] = [];
  const hashes: string[] = [];
  const report = await readChainedLog({ directory, format }, (entry, hash) => {
    entries.push(entry);
    hashes.push(hash);
  });
  return { entries, hashes, report };
}

async function onlyFile(directory: string): Promise<string> {
  const name = (await readdir(directory)).find((each) => each.endsWith('.log'));
  return `${directory}/${name ?? ''}`;
}

test('each entry has the hash of the JSON of the entry before', async () => {
  await using directory = await temporaryDirectory();
  const log = openChainedLog({ directory: directory.path, format });

  await Promise.all([
    log.append({ what: 'one' }),
    log.append({ what: 'two' }),
    log.append({ what: 'three' }),
  ]);

  const { entries, hashes, report } = await readAll(directory.path);
  expect(entries.map(({ seq, what }) => [seq, what])).toEqual([
    [1, 'one'],
    [2, 'two'],
    [3, 'three'],
  ]);
  expect(entries.map(({ previous }) => previous)).toEqual(['0'.repeat(64), ...hashes.slice(0, 2)]);
  expect(hashes).toEqual(
    entries.map((entry) => createHash('sha256').update(JSON.stringify(entry)).digest('hex')),
  );
  expect(report).toMatchObject({ entries: 3, firstSeq: 1, breaks: [], tornBytes: 0 });
});

test.runIf(process.platform !== 'win32')('only its owner may read it', async () => {
  await using directory = await temporaryDirectory();
  await openChainedLog({ directory: directory.at('audit'), format }).append({});

  expect((await stat(directory.at('audit'))).mode & 0o777).toBe(0o700);
  expect((await stat(await onlyFile(directory.at('audit')))).mode & 0o777).toBe(0o600);
});

test("writers continue each other's log, also when they alternate", async () => {
  await using directory = await temporaryDirectory();
  const [one, other] = [directory, directory].map(({ path }) => openChainedLog({ directory: path, format }));

  for (const log of [one, other, one, other, other]) await log?.append({});

  expect((await readAll(directory.path)).report).toMatchObject({ entries: 5, breaks: [] });
});

test('several processes append to one chain at the same time', async () => {
  await using directory = await temporaryDirectory();
  const program = join(
    process.env['PARLEY_TEST_PROGRAMS'] ?? '',
    'workspace/src/log/chain-writer.fixture.js',
  );
  const run = (name: string): Promise<number | null> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [program, directory.path, name], {
        stdio: 'inherit',
      });
      child.once('error', reject);
      child.once('exit', resolve);
    });

  expect(await Promise.all(['a', 'b', 'c'].map(run))).toEqual([0, 0, 0]);

  const { entries, report } = await readAll(directory.path);
  expect(report).toMatchObject({ entries: 60, breaks: [] });
  expect(new Set(entries.map(({ by }) => by))).toEqual(new Set(['a', 'b', 'c']));
});

test.each<[string, (text: string) => string, object]>([
  ['changed', (text) => text.replace('two', 'TWO'), { line: 3, afterSeq: 1, reason: 'damaged' }],
  ['changed with its checksum', changeSecond, { line: 4, afterSeq: 2, reason: 'changed' }],
  ['removed', (text) => withoutLine(text, 2), { line: 3, afterSeq: 1, reason: 'missing' }],
  ['put elsewhere', (text) => swapLines(text, 2, 3), { line: 3, afterSeq: 1, reason: 'missing' }],
])('an entry that was %s is found, and where', async (_what, change, expected) => {
  await using directory = await temporaryDirectory();
  const log = openChainedLog({ directory: directory.path, format });
  for (const what of ['one', 'two', 'three']) await log.append({ what });
  const file = await onlyFile(directory.path);

  await writeFile(file, change(await readFile(file, 'utf8')));

  const { report } = await readAll(directory.path);
  expect(report.breaks[0]).toMatchObject(expected);
});

/** Changes the file as an attacker who knows the format would. */
function changeSecond(text: string): string {
  const lines = text.split('\n');
  const record = recordText(lines[2] ?? '').replace('two', 'TWO');
  return lines.map((line, index) => (index === 2 ? toLine(record).toString().trimEnd() : line)).join('\n');
}

function withoutLine(text: string, index: number): string {
  return text
    .split('\n')
    .filter((_, at) => at !== index)
    .join('\n');
}

function swapLines(text: string, one: number, other: number): string {
  const lines = text.split('\n');
  return lines.map((line, at) => lines[at === one ? other : at === other ? one : at] ?? line).join('\n');
}

test('half a line at the end is reported, and removed by the next entry, which says so', async () => {
  await using directory = await temporaryDirectory();
  await openChainedLog({ directory: directory.path, format }).append({ what: 'one' });
  await appendFile(await onlyFile(directory.path), '{"crc":"12');
  expect((await readAll(directory.path)).report).toMatchObject({ entries: 1, tornBytes: 10, breaks: [] });

  await openChainedLog({ directory: directory.path, format }).append({ what: 'two' });

  const { entries, report } = await readAll(directory.path);
  expect(entries).toMatchObject([{ what: 'one' }, { what: 'two', tornBytes: 10 }]);
  expect(report).toMatchObject({ tornBytes: 0, breaks: [] });
});

test('full files are followed by others, the oldest go, and the chain is carried on', async () => {
  await using directory = await temporaryDirectory();
  const log = openChainedLog({ directory: directory.path, format, maxFileBytes: 1000, maxFiles: 3 });

  for (let count = 0; count < 60; count += 1) await log.append({ count });

  const { entries, report } = await readAll(directory.path);
  expect((await readdir(directory.path)).filter((name) => name.endsWith('.log'))).toHaveLength(3);
  expect(report.breaks).toEqual([]);
  expect(report.firstSeq).toBeGreaterThan(1);
  expect(entries.at(-1)).toMatchObject({ seq: 60, count: 59 });
});

test('a file that is missing in the middle is a break', async () => {
  await using directory = await temporaryDirectory();
  const log = openChainedLog({ directory: directory.path, format, maxFileBytes: 300 });
  for (let count = 0; count < 10; count += 1) await log.append({ count });
  const names = (await readdir(directory.path)).filter((name) => name.endsWith('.log')).toSorted();

  await writeFile(
    directory.at(names[1] ?? ''),
    (await readFile(directory.at(names[0] ?? ''), 'utf8')).split('\n')[0] + '\n',
  );

  expect((await readAll(directory.path)).report.breaks).toMatchObject([
    { file: names[2], reason: 'missing' },
  ]);
});

test('a first file without its first entry is a break', async () => {
  await using directory = await temporaryDirectory();
  const log = openChainedLog({ directory: directory.path, format });
  for (const what of ['one', 'two']) await log.append({ what });
  const file = await onlyFile(directory.path);
  const [header, , ...rest] = (await readFile(file, 'utf8')).split('\n');
  await writeFile(file, [header, ...rest].join('\n'));

  const { report } = await readAll(directory.path);
  expect(report.breaks).toMatchObject([{ afterSeq: 0, reason: 'missing' }]);
});

test('nothing there is an empty chain', async () => {
  await using directory = await temporaryDirectory();

  expect((await readAll(directory.at('none'))).report).toMatchObject({ entries: 0, breaks: [] });
});
