import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, open, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WorkspaceError } from '../error.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../temporary-directory.fixture.ts';
import { defaultMaxLineBytes, type Log, openLog, type OpenLogOptions, readLog } from './log.ts';

const format = { name: 'test', version: 1 };
const isPosix = process.platform !== 'win32';

/** All records of a log, and what was lost. */
async function readAll(file: string): Promise<{ readonly records: unknown[]; readonly lost: unknown }> {
  const records: unknown[] = [];
  const lost = await readLog(file, { format, read: (record) => void records.push(record) });
  return { records, lost };
}

/** Opens a log with what it held. */
async function reopen(
  file: string,
  options: Partial<OpenLogOptions> = {},
): Promise<{ readonly log: Log; readonly records: unknown[] }> {
  const records: unknown[] = [];
  const log = await openLog(file, { format, read: (record) => void records.push(record), ...options });
  return { log, records };
}

async function writeRecords(directory: TemporaryDirectory, records: readonly unknown[]): Promise<string> {
  const file = directory.at('a.jsonl');
  await using log = await openLog(file, { format });
  for (const record of records) log.append(record);
  return file;
}

const nothing = { tailBytes: 0, damagedLines: 0 };

test('what was appended is read again, in order', async () => {
  await using directory = await temporaryDirectory();
  const records = [1, 'two\n', { three: ['ä', '😀', null] }, [], null];
  const file = await writeRecords(directory, records);
  expect(await readAll(file)).toEqual({ records, lost: nothing });
});

test('each line is JSON, and the first one says what the log is', async () => {
  await using directory = await temporaryDirectory();
  const file = await writeRecords(directory, [{ a: 1 }]);
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { record: { log: 'test', version: 1 } },
    { record: { a: 1 } },
  ]);
});

test('any records survive any number of openings', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.jsonValue(), { maxLength: 5 }), { maxLength: 5 }),
      async (batches) => {
        await using directory = await temporaryDirectory();
        const file = directory.at('a.jsonl');
        for (const batch of batches) {
          await using log = await openLog(file, { format });
          for (const record of batch) log.append(record);
        }
        if (batches.length === 0) return;
        const { records } = await readAll(file);
        expect(JSON.stringify(records)).toBe(JSON.stringify(batches.flat()));
      },
    ),
    { numRuns: 50 },
  );
});

test('unwanted records are skipped, and torn records are reported', async () => {
  await using directory = await temporaryDirectory();
  const file = await writeRecords(directory, [{ a: 1 }, { b: 2 }, { a: 3 }]);
  const records: unknown[] = [];
  const read = (record: unknown): void => void records.push(record);
  const wants = (json: string): boolean => json.startsWith('{"a"');
  expect(await readLog(file, { format, read, wants })).toEqual(nothing);
  expect(records).toEqual([{ a: 1 }, { a: 3 }]);
  await truncate(file, (await stat(file)).size - 3);
  expect(await readLog(file, { format, wants: () => false })).toMatchObject({ damagedLines: 0 });
});

test.runIf(isPosix)('file and directories are for their owner only', async () => {
  await using directory = await temporaryDirectory();
  const file = directory.at('one', 'two', 'a.jsonl');
  await using log = await openLog(file, { format });
  await log.flush();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(directory.at('one', 'two'))).mode & 0o777).toBe(0o700);
  expect((await stat(directory.at('one'))).mode & 0o777).toBe(0o700);
});

describe('a log that is to be new or existing', () => {
  test('is refused when it is the other', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.at('a.jsonl');
    await expect(openLog(file, { format, expect: 'existing' })).rejects.toMatchObject({ code: 'not-found' });
    await (await openLog(file, { format, expect: 'new' })).close();
    await expect(openLog(file, { format, expect: 'new' })).rejects.toMatchObject({ code: 'exists' });
    await (await openLog(file, { format, expect: 'existing' })).close();
  });

  test.runIf(isPosix)('is never a link', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('target'), '');
    await symlink(directory.at('target'), directory.at('a.jsonl'));
    await expect(openLog(directory.at('a.jsonl'), { format })).rejects.toMatchObject({
      code: 'invalid-path',
    });
  });
});

describe('a file that is no such log', () => {
  test.each([
    ['other text', 'hello\n', 'damaged'],
    ['text without an end', 'hello', 'damaged'],
    ['a long text without an end', 'x'.repeat(500), 'damaged'],
  ])('is refused and left as it is: %s', async (_name, text, code) => {
    await using directory = await temporaryDirectory();
    const file = directory.at('a.jsonl');
    await writeFile(file, text);
    await expect(openLog(file, { format })).rejects.toMatchObject({ code });
    await expect(readLog(file, { format })).rejects.toMatchObject({ code });
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  test('is one of another name or version', async () => {
    await using directory = await temporaryDirectory();
    const file = await writeRecords(directory, [1]);
    const refuse = (other: typeof format): Promise<unknown> => openLog(file, { format: other });
    await expect(refuse({ name: 'other', version: 1 })).rejects.toMatchObject({ code: 'damaged' });
    await expect(refuse({ name: 'test', version: 2 })).rejects.toMatchObject({ code: 'unsupported' });
  });
});

test('a log that is cut at any byte opens, keeps each whole record, and can be continued', async () => {
  await using directory = await temporaryDirectory();
  const records = [{ a: 'one' }, 'zwei ä', [3]];
  const whole = await readFile(await writeRecords(directory, records));
  const ends = [...whole.keys()].filter((at) => whole[at] === 0x0a).map((at) => at + 1);
  for (let length = 0; length <= whole.length; length += 1) {
    const file = directory.at(`cut-${String(length)}.jsonl`);
    await writeFile(file, whole.subarray(0, length));
    const kept = records.slice(0, Math.max(0, ends.filter((end) => end <= length).length - 1));
    const goodBytes = ends.findLast((end) => end <= length) ?? 0;
    const lost = { tailBytes: length - goodBytes, damagedLines: 0 };
    expect(await readAll(file)).toEqual({ records: kept, lost });
    const { log, records: found } = await reopen(file);
    expect(found).toEqual(kept);
    expect(log.lost).toEqual(lost);
    log.append('more');
    await log.close();
    expect(await readAll(file)).toEqual({ records: [...kept, 'more'], lost: nothing });
  }
});

test('a changed byte costs its own line, and is reported; in the first line the log is refused', async () => {
  await using directory = await temporaryDirectory();
  const records = [{ a: 'one' }, 'zwei ä', [3], 'last'];
  const whole = await readFile(await writeRecords(directory, records));
  const headerEnd = whole.indexOf(0x0a) + 1;
  const file = directory.at('flipped.jsonl');
  for (let at = 0; at < whole.length; at += 1) {
    const flipped = Buffer.from(whole);
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
    await writeFile(file, flipped);
    if (at < headerEnd) {
      await expect(readAll(file)).rejects.toMatchObject({ code: 'damaged' });
      continue;
    }
    const { records: found, lost } = await readAll(file);
    // A lost newline makes one damaged line of two.
    const isNewline = whole[at] === 0x0a && at < whole.length - 1;
    expect(found.length).toBe(isNewline ? 2 : 3);
    for (const record of found) expect(records).toContainEqual(record);
    expect(lost).not.toEqual(nothing);
  }
});

test('damage in the middle is left in place, and the records after it are read', async () => {
  await using directory = await temporaryDirectory();
  const file = await writeRecords(directory, ['one', 'two', 'three']);
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('"two"', '"TWO"'));
  const { log, records } = await reopen(file);
  expect(records).toEqual(['one', 'three']);
  expect(log.lost).toEqual({ tailBytes: 0, damagedLines: 1 });
  log.append('four');
  await log.close();
  expect(await readAll(file)).toEqual({
    records: ['one', 'three', 'four'],
    lost: { tailBytes: 0, damagedLines: 1 },
  });
});

test('any garbage behind a log is cut off, or skipped where it ends in whole lines', async () => {
  await using directory = await temporaryDirectory();
  const file = await writeRecords(directory, ['one']);
  const whole = await readFile(file);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (garbage) => {
      await writeFile(file, whole);
      await appendFile(file, garbage);
      const { log, records } = await reopen(file);
      expect(records).toEqual(['one']);
      expect(log.lost).toEqual({ tailBytes: garbage.length, damagedLines: 0 });
      await log.close();
      expect(await readFile(file)).toEqual(whole);
    }),
    { numRuns: 50 },
  );
});

test('a reader sees only whole records during a write', async () => {
  await using directory = await temporaryDirectory();
  const file = directory.at('a.jsonl');
  await using log = await openLog(file, { format });
  await log.flush();
  for (let number = 0; number < 50; number += 1) {
    for (let count = 0; count < 20; count += 1) {
      log.append({ number: number * 20 + count, text: 'x'.repeat(2000) });
    }
    const { records, lost } = await readAll(file);
    expect(lost).toMatchObject({ damagedLines: 0 });
    expect(records).toEqual(records.map((_, index) => ({ number: index, text: 'x'.repeat(2000) })));
  }
});

describe('a line that is too long', () => {
  test('is refused in writing, and nothing is lost by it', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.at('a.jsonl');
    await using log = await openLog(file, { format, maxLineBytes: 100 });
    log.append('one');
    expect(() => {
      log.append('x'.repeat(100));
    }).toThrow(expect.objectContaining({ code: 'too-large' }));
    log.append('two');
    await log.flush();
    expect(await readAll(file)).toEqual({ records: ['one', 'two'], lost: nothing });
  });

  test('counts as damaged in reading, however long it is', async () => {
    await using directory = await temporaryDirectory();
    const file = await writeRecords(directory, ['one', 'x'.repeat(3 * 1024 * 1024), 'two']);
    const { log, records } = await reopen(file, { maxLineBytes: 1000 });
    expect(records).toEqual(['one', 'two']);
    expect(log.lost).toEqual({ tailBytes: 0, damagedLines: 1 });
    await log.close();
  });
});

test('a closed log rejects records, and may be closed again', async () => {
  await using directory = await temporaryDirectory();
  const log = await openLog(directory.at('a.jsonl'), { format });
  await log.close();
  await log.close();
  expect(() => {
    log.append(1);
  }).toThrow(expect.objectContaining({ code: 'closed' }));
});

test.runIf(process.platform === 'linux')(
  'a file that cannot be written is reported on the next append',
  async () => {
    await using directory = await temporaryDirectory();
    await using full = await open('/dev/full', 'a');
    const { LogWriter } = await import('./log-writer.ts');
    const { toLogFile } = await import('./log-file.ts');
    const writer = new LogWriter(toLogFile(full), {
      path: directory.at('a.jsonl'),
      bytes: 0,
      maxLineBytes: 1000,
      gatherMs: 0,
      maxHeldBytes: 1000,
    });
    for (const _attempt of [1, 2]) {
      expect(() => writer.appendNow('"two"')).toThrow(expect.objectContaining({ code: 'no-space' }));
    }
    writer.append('"two"');
    await expect(writer.flush()).rejects.toBeInstanceOf(WorkspaceError);
  },
);

test('a record that is written at once is in the file when it returns, and comes after what was appended before', async () => {
  await using directory = await temporaryDirectory();
  const file = directory.at('a.jsonl');
  await using log = await openLog(file, { format });
  await log.flush();
  expect(log.appendJsonNow('1')).toBeUndefined();
  expect((await readAll(file)).records).toEqual([1]);
  log.append(2);
  expect(log.appendJsonNow('3')).toBeUndefined();
  expect((await readAll(file)).records).toEqual([1, 2, 3]);
  const long = 'x'.repeat(512 * 1024);
  log.append(long);
  const later = log.appendJsonNow('4');
  expect(later).toBeInstanceOf(Promise);
  log.append(5);
  await later;
  await log.sync();
  expect(() => log.appendJsonNow(JSON.stringify('x'.repeat(defaultMaxLineBytes)))).toThrow(
    expect.objectContaining({ code: 'too-large' }),
  );
  log.append(6);
  await log.flush();
  expect(await readAll(file)).toEqual({ records: [1, 2, 3, long, 4, 5, 6], lost: nothing });
});

test('what was appended can be put in the file at once', async () => {
  await using directory = await temporaryDirectory();
  const file = directory.at('a.jsonl');
  await using log = await openLog(file, { format, gatherMs: 60_000 });
  await log.flush();
  log.append(1);
  expect(log.flushNow()).toBeUndefined();
  expect((await readAll(file)).records).toEqual([1]);
  log.append(2);
  const flushing = log.flush();
  log.append(3);
  expect(log.flushNow()).toBeUndefined();
  await flushing;
  expect(log.flushNow()).toBeUndefined();
  expect(await readAll(file)).toEqual({ records: [1, 2, 3], lost: nothing });
});

test('after a slow write, lines gather for longer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  await using directory = await temporaryDirectory();
  const file = directory.at('a.jsonl');
  let slowMs = 0;
  await using log = await openLog(file, {
    format,
    gatherMs: 10,
    through: (inner) => ({
      ...inner,
      write: async (bytes, from) => {
        vi.advanceTimersByTime(slowMs);
        return await inner.write(bytes, from);
      },
    }),
  });
  const stored = async (): Promise<number> => (await readAll(file)).records.length;

  log.append(1);
  slowMs = 20;
  await log.flush();
  log.append(2);
  // Four times as long as the write, from its begin.
  await vi.advanceTimersByTimeAsync(59);
  expect(await stored()).toBe(1);
  slowMs = 0;
  await vi.advanceTimersByTimeAsync(1);
  await log.flush('soon');
  expect(await stored()).toBe(2);
  log.append(3);
  await vi.advanceTimersByTimeAsync(10);
  await log.flush('soon');
  expect(await stored()).toBe(3);
});

test('what the reader of the records throws ends the opening', async () => {
  await using directory = await temporaryDirectory();
  const file = await writeRecords(directory, ['one']);
  const stop = new Error('stop');
  const read = (): never => {
    throw stop;
  };
  await expect(openLog(file, { format, read })).rejects.toBe(stop);
  await truncate(file, (await stat(file)).size - 1);
  await expect(readLog(file, { format, read })).resolves.toMatchObject({ damagedLines: 0 });
});

test.runIf(isPosix)('a writer that is killed at any moment loses nothing it had flushed', async () => {
  await using directory = await temporaryDirectory();
  const file = directory.at('a.jsonl');
  const fixture = path.join(
    process.env['PARLEY_TEST_PROGRAMS'] ?? '',
    'workspace/src/log/endless-writer.fixture.js',
  );
  let count = 0;
  for (let round = 0; round < 8; round += 1) {
    const child = spawn(process.execPath, [fixture, file, String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    const wanted = 1 + ((round * 7919) % 60);
    await new Promise<void>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.split('\n').length > wanted) resolve();
      });
    });
    child.kill('SIGKILL');
    await once(child, 'close');
    const flushed = Number(said.slice(0, said.lastIndexOf('\n')).split('\n').at(-1));
    const { log, records } = await reopen(file);
    await log.close();
    expect(log.lost.damagedLines).toBe(0);
    expect(records.length).toBeGreaterThanOrEqual(flushed);
    expect(records).toEqual(records.map((_, number) => ({ number, text: 'x'.repeat((number * 37) % 3000) })));
    count = records.length;
  }
});
