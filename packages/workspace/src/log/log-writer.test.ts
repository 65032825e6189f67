import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { failingDisk } from './failing-file.fixture.ts';
import { openLog, readLog, type Log } from './log.ts';

const format = { name: 'test', version: 1 };

async function recordsIn(file: string): Promise<readonly unknown[]> {
  const records: unknown[] = [];
  await readLog(file, { format, read: (record) => void records.push(record) });
  return records;
}

describe('while the disk is full', () => {
  test('what is appended waits, and is written in its order when there is room', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.at('a.jsonl');
    const disk = failingDisk();
    await using log = await openLog(file, { format, through: disk.through });
    log.append('one');
    await log.flush();

    disk.roomBytes = 20;
    log.append('two');
    await expect(log.flush()).rejects.toMatchObject({ code: 'no-space', path: file });
    log.append('three');
    await expect(log.sync()).rejects.toMatchObject({ code: 'no-space' });
    expect(await recordsIn(file)).toEqual(['one']);
    expect((await readFile(file, 'utf8')).endsWith('\n')).toBe(true);

    disk.roomBytes = Number.POSITIVE_INFINITY;
    await log.sync();
    expect(await recordsIn(file)).toEqual(['one', 'two', 'three']);
    expect(log.waitingBytes).toBe(0);
  });

  test('writing is tried again without being asked to', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.at('a.jsonl');
    const disk = failingDisk();
    const troubles: (string | undefined)[] = [];
    let reportWorking = (): void => {};
    const working = new Promise<void>((resolve) => {
      reportWorking = resolve;
    });
    await using log = await openLog(file, {
      format,
      through: disk.through,
      onTrouble: (error) => {
        troubles.push(error?.code);
        if (error === undefined) reportWorking();
      },
    });
    await log.flush();
    disk.roomBytes = 0;
    log.append('one');
    await expect(log.flush()).rejects.toMatchObject({ code: 'no-space' });
    await expect(log.flush()).rejects.toMatchObject({ code: 'no-space' });
    disk.roomBytes = Number.POSITIVE_INFINITY;
    await working;
    expect(await recordsIn(file)).toEqual(['one']);
    expect(troubles).toEqual(['no-space', undefined]);
  });

  test('a record to be written at once is dropped, and waiting records are not', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.at('a.jsonl');
    const disk = failingDisk();
    await using log = await openLog(file, { format, through: disk.through });
    await log.flush();
    disk.roomBytes = 10;
    expect(() => log.appendJsonNow('"dropped"')).toThrow(expect.objectContaining({ code: 'no-space' }));
    log.append('waits');
    expect(() => log.appendJsonNow('"dropped too"')).toThrow(expect.objectContaining({ code: 'no-space' }));
    log.append('waits, too'.repeat(50_000));
    await expect(log.appendJsonNow('"dropped as well"')).rejects.toMatchObject({ code: 'no-space' });
    disk.roomBytes = Number.POSITIVE_INFINITY;
    await log.flush();
    expect(log.appendJsonNow('"last"')).toBeUndefined();
    expect(await recordsIn(file)).toEqual(['waits', expect.stringMatching(/^waits, too/), 'last']);
  });

  test('no more than the bound waits', async () => {
    await using directory = await temporaryDirectory();
    const disk = failingDisk();
    const log = await openLog(directory.at('a.jsonl'), { format, through: disk.through });
    await log.flush();
    disk.roomBytes = 0;
    const mebibyte = 'x'.repeat(1024 * 1024);
    log.append(mebibyte);
    await expect(log.flush()).rejects.toMatchObject({ code: 'no-space' });
    for (let count = 1; count < 7; count += 1) log.append(mebibyte);
    expect(() => {
      log.append(mebibyte);
    }).toThrow(expect.objectContaining({ code: 'no-space' }));
    await expect(log.close()).rejects.toMatchObject({ code: 'no-space' });
  });
});

type Step =
  | { readonly kind: 'append' | 'append-now'; readonly length: number }
  | { readonly kind: 'flush' | 'flushNow' | 'sync'; readonly isAwaited: boolean }
  | { readonly kind: 'room'; readonly bytes: number; readonly isCutRefused: boolean }
  | { readonly kind: 'reopen' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('append' as const), length: fc.nat(60) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('append-now' as const), length: fc.nat(60) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('flush' as const, 'flushNow' as const, 'sync' as const),
      isAwaited: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('room' as const),
      bytes: fc.oneof(fc.nat(300), fc.constant(Number.POSITIVE_INFINITY)),
      isCutRefused: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
);

test('wherever the disk fails: what was acknowledged is there, once and in order; what was refused is not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
      await using directory = await temporaryDirectory();
      const file = directory.at('a.jsonl');
      const disk = failingDisk();
      const open = (): Promise<Log> => openLog(file, { format, through: disk.through });
      let log = await open();
      await log.flush();
      let count = 0;
      const acknowledged = new Set<number>();
      const refused = new Set<number>();
      /** Appended to this log, acknowledged or not. */
      let waiting: number[] = [];
      let pending: Promise<void>[] = [];
      const acknowledge = async (work: Promise<void>, numbers: readonly number[]): Promise<void> => {
        await work.then(
          () => numbers.forEach((number) => acknowledged.add(number)),
          () => undefined,
        );
      };

      for (const each of steps) {
        switch (each.kind) {
          case 'append':
            log.append({ number: count, text: 'x'.repeat(each.length) });
            waiting.push(count);
            count += 1;
            break;
          case 'append-now': {
            const number = count;
            count += 1;
            const refuse = (): void => void refused.add(number);
            const accept = (): void => void acknowledged.add(number);
            try {
              const work = log.appendJsonNow(JSON.stringify({ number, text: 'x'.repeat(each.length) }));
              if (work === undefined) accept();
              else pending.push(work.then(accept, refuse));
            } catch {
              refuse();
            }
            break;
          }
          case 'flush':
          case 'flushNow':
          case 'sync': {
            const work = acknowledge(log[each.kind]() ?? Promise.resolve(), [...waiting]);
            if (each.isAwaited) await work;
            else pending.push(work);
            break;
          }
          case 'room':
            disk.roomBytes = each.bytes;
            disk.isCutRefused = each.isCutRefused;
            break;
          case 'reopen':
            await acknowledge(log.close(), [...waiting]);
            await Promise.all(pending);
            waiting = [];
            pending = [];
            disk.roomBytes = Number.POSITIVE_INFINITY;
            log = await open();
            await log.flush();
        }
      }
      await acknowledge(log.close(), [...waiting]);
      await Promise.all(pending);
      disk.roomBytes = Number.POSITIVE_INFINITY;
      const last = await open();
      last.append({ number: count, text: 'after' });
      await last.close();

      const found = (await recordsIn(file)).map((record) => (record as { number: number }).number);
      expect(found).toEqual([...new Set(found)].toSorted((left, right) => left - right));
      expect([...acknowledged].filter((number) => !found.includes(number))).toEqual([]);
      expect(found.filter((number) => refused.has(number))).toEqual([]);
      expect(found.at(-1)).toBe(count);
    }),
    { numRuns: 200 },
  );
});
