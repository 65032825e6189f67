import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { isRunning, printedIds } from './living.fixture.ts';
import { keepProcessRecord } from './process-record.ts';

/** A shell and a child of its own; both print their ids. */
const family = 'sleep 100 & echo $!; echo $$; wait';
const stubborn = `trap '' TERM; sleep 100 & echo $!; echo $$; while :; do wait; done`;

interface Watched {
  readonly child: ChildProcessWithoutNullStreams;
  readonly said: () => string;
  /** Settles when it has printed that, and as many ids. */
  says(text: string, ids?: number): Promise<readonly number[]>;
}

/** A process that starts these commands, and nothing but its watchdog to end them. */
function startWatched(commands: readonly string[], records?: string): Watched {
  const fixture = path.join(
    process.env['PARLEY_TEST_PROGRAMS'] ?? '',
    'workspace/src/process/watched.fixture.js',
  );
  const child = spawn(process.execPath, [fixture, ...commands], {
    env: { ...process.env, ...(records !== undefined && { PARLEY_RECORDS: records }) },
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stderr.pipe(process.stderr);
  return {
    child,
    said: () => said,
    async says(text, ids = 0) {
      await expect.poll(() => said, wait).toContain(text);
      await expect.poll(() => printedIds(said).length, wait).toBeGreaterThanOrEqual(ids);
      return printedIds(said);
    },
  };
}

const wait = { timeout: 120_000, interval: 20 };

async function kill(child: ChildProcessWithoutNullStreams): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function expectGone(ids: readonly number[]): Promise<void> {
  await expect.poll(() => ids.filter(isRunning), wait).toEqual([]);
}

/** What the record says of one role. */
async function recorded(directory: string, role: string): Promise<readonly number[]> {
  const [file = ''] = await readdir(directory);
  const text = await readFile(`${directory}/${file}`, 'utf8').catch(() => '');
  return [...text.matchAll(new RegExp(`^${role} (\\d+) `, 'gm'))].map(([, id]) => Number(id));
}

describe.runIf(process.platform !== 'win32')('the watchdog of a process', () => {
  test('ends all it started when it is killed, down to children that ignore TERM', async () => {
    const { child, says } = startWatched([family, family, stubborn]);
    const ids = await says('started', 6);
    expect(ids.filter(isRunning)).toHaveLength(6);
    await kill(child);
    await expectGone(ids);
  });

  test('removes the folder of its socket when it is killed', async () => {
    const { child, said, says } = startWatched([]);
    await says('started');
    child.stdin.write('listen\n');
    await says('done');
    const [folder = ''] = /^\/.+$/mu.exec(said()) ?? [];
    expect(existsSync(folder)).toBe(true);
    await kill(child);
    await expect.poll(() => existsSync(folder), wait).toBe(false);
  });

  test('ends what is left when it exits without having ended it', async () => {
    const { child, says } = startWatched([family]);
    const ids = await says('started', 2);
    expect(ids.filter(isRunning)).toHaveLength(2);
    child.stdin.write('exit\n');
    await once(child, 'exit');
    await expectGone(ids);
  });

  test('ends with it, and the record is removed', async () => {
    await using directory = await temporaryDirectory();
    const { child, says } = startWatched([family], directory.path);
    const ids = await says('started', 2);
    await expect.poll(() => recorded(directory.path, 'group'), wait).toHaveLength(1);
    const watchdogs = await recorded(directory.path, 'watchdog');
    expect(watchdogs.filter(isRunning)).toHaveLength(1);

    child.stdin.write('end\nexit\n');
    await once(child, 'exit');

    expect(ids.filter(isRunning)).toEqual([]);
    await expectGone(watchdogs);
    expect(await readdir(directory.path)).toEqual([]);
  });

  test('ends what is left when its process ends it, and the next process that is started has a new one', async () => {
    await using directory = await temporaryDirectory();
    const { child, says } = startWatched([family, stubborn], directory.path);
    const left = await says('started', 4);
    await expect.poll(() => recorded(directory.path, 'group'), wait).toHaveLength(2);

    child.stdin.write('unwatch\n');
    await says('done');
    expect(await readdir(directory.path)).toEqual([]);
    await expectGone(left);
    child.stdin.write('start\n');
    const ids = await says('done', 5);
    await kill(child);

    await expectGone(ids);
  });

  test('that was ended is replaced by one that knows all processes', async () => {
    await using directory = await temporaryDirectory();
    const { child, says } = startWatched([family], directory.path);
    await says('started', 2);
    await expect.poll(() => recorded(directory.path, 'group'), wait).toHaveLength(1);
    const [watchdog = 0] = await recorded(directory.path, 'watchdog');
    process.kill(watchdog, 'SIGKILL');
    await expectGone([watchdog]);

    child.stdin.write('start\n');
    const ids = await says('done', 3);
    await expect.poll(() => recorded(directory.path, 'group'), wait).toHaveLength(2);
    await kill(child);

    await expectGone(ids);
  });

  test('that is killed too leaves a record, by which the next process ends what was left', async () => {
    await using directory = await temporaryDirectory();
    const { child, says } = startWatched([family, stubborn], directory.path);
    const ids = await says('started', 4);
    await expect.poll(() => recorded(directory.path, 'group'), wait).toHaveLength(2);
    // While its process lives, nothing is ended.
    expect(await keepProcessRecord(directory.path)).toBe(0);
    expect(ids.filter(isRunning)).toHaveLength(4);
    const [watchdog = 0] = await recorded(directory.path, 'watchdog');
    // Stopped, it cannot replace its watchdog.
    child.kill('SIGSTOP');
    process.kill(watchdog, 'SIGKILL');
    await expectGone([watchdog]);
    await kill(child);
    expect(ids.filter(isRunning)).toHaveLength(4);

    const next = startWatched([], directory.path);
    await next.says('ended 2');
    await expectGone(ids);
    next.child.stdin.end();
    await kill(next.child);
  });

  test('a recorded id that belongs to another process by now is left alone', async () => {
    await using directory = await temporaryDirectory();
    const { child, says } = startWatched([family]);
    const [, id = 0] = await says('started', 2);
    const record = directory.at('999999999');
    await writeFile(
      record,
      `parley 999999999 1\nwatchdog 999999999 1\ngroup ${String(id)} 1\ngroup ${String(id)}`,
    );

    expect(await keepProcessRecord(directory.path)).toBe(0);

    expect(isRunning(id)).toBe(true);
    expect(await readdir(directory.path)).toEqual([]);
    await kill(child);
    await expectGone([id]);
  });
});
