import { rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Checkpoints, openCheckpoints, type OpenCheckpoints } from '@parley/workspace/checkpoint';
import { expect, onTestFinished, test, vi } from 'vitest';
import { noChanges } from '../../state/changes-state.ts';
import { filesStore } from '../../store/files/files-store.ts';
import { temporaryFolder } from '../../store/temporary-folder.fixture.ts';
import { SessionCheckpoints } from './session-checkpoints.ts';

/** The checkpoints of a session whose agent starts, and the trouble that they report. */
async function testSession(open: OpenCheckpoints, promptWaitMs = 5000) {
  const [cwd, stateDir] = [await temporaryFolder(), await temporaryFolder()];
  await writeFile(path.join(cwd, 'old.txt'), 'old');
  const trouble: string[] = [];
  const checkpoints = new SessionCheckpoints({
    key: () => 's',
    store: filesStore(path.join(stateDir, 'logs')),
    settingsIn: () => ({ stateDir, open, promptWaitMs }),
    state: () => noChanges,
    append: () => undefined,
    onTrouble: (message) => trouble.push(message),
  });
  onTestFinished(() => checkpoints[Symbol.asyncDispose]());
  checkpoints.prepare(cwd);
  return {
    cwd,
    trouble,
    /** The agent writes text. */
    act() {
      const view = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'a' } } as const;
      const given = { update: view, text: undefined, view, late: false, replay: false };
      checkpoints.note({ type: 'update', sessionId: 's', ...given });
    },
    /** A turn in which something happens. */
    async turn(act: () => Promise<void>) {
      checkpoints.note({ type: 'session', sessionId: 's', cwd, origin: 'new' });
      await checkpoints.begin({ sessionId: 's', turnId: 't', cwd });
      await checkpoints.beforePrompt();
      await act();
      const event = await checkpoints.end();
      checkpoints.note({ type: 'turn-end', sessionId: 's', turnId: 't', stopReason: 'end_turn' });
      return event;
    },
  };
}

function withTake(opened: Checkpoints, take: Checkpoints['take']): Checkpoints {
  return {
    take,
    compare: (before, after, wanted) => opened.compare(before, after, wanted),
    entries: (id, paths) => opened.entries(id, paths),
    folders: (id) => opened.folders(id),
    omitted: (id) => opened.omitted(id),
    read: (blob) => opened.read(blob),
    stored: () => opened.stored(),
    mostIncludedBytes: opened.mostIncludedBytes,
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

/** Until the file system's clock is past now. */
async function passTick(cwd: string): Promise<void> {
  const [probe, now] = [`${cwd}-probe`, Date.now()];
  do await writeFile(probe, '');
  while ((await stat(probe)).ctimeMs <= now + 5);
  await rm(probe);
}

test('the first checkpoint is taken while the agent starts, before its session is open', async () => {
  let onTaken: () => void = () => {};
  const taken = new Promise<void>((resolve) => {
    onTaken = resolve;
  });
  const session = await testSession(async (options) => {
    const opened = await openCheckpoints(options);
    return withTake(opened, async (wanted) => {
      const checkpoint = await opened.take(wanted);
      onTaken();
      return checkpoint;
    });
  });
  await taken;

  const event = await session.turn(() => writeFile(path.join(session.cwd, 'a.txt'), 'a'));

  expect(event).toMatchObject({ files: [{ path: 'a.txt', status: 'added' }] });
});

test('a file that the agent changes before the first checkpoint has read it is listed as late, and not as unchanged', async () => {
  let onWritten: () => void = () => {};
  const isWritten = new Promise<void>((resolve) => {
    onWritten = resolve;
  });
  const session = await testSession(async (options) => {
    const opened = await openCheckpoints(options);
    return withTake(opened, async (wanted) => {
      await isWritten;
      return await opened.take(wanted);
    });
  }, 1);

  const event = await session.turn(async () => {
    await passTick(session.cwd);
    await writeFile(path.join(session.cwd, 'old.txt'), 'new');
    onWritten();
  });

  expect(event).toMatchObject({ files: [], omitted: [{ path: 'old.txt', why: 'late' }] });
});

test('the prompt of an agent that took long to act does not wait for its checkpoint, which has what the files were before', async () => {
  let gate: Promise<void> = Promise.resolve();
  const session = await testSession(async (options) => {
    const opened = await openCheckpoints(options);
    return withTake(opened, async (wanted) => {
      await gate;
      return await opened.take(wanted);
    });
  }, 300_000);
  await session.turn(async () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
    session.act();
    vi.restoreAllMocks();
  });
  let onWritten: () => void = () => {};
  gate = new Promise<void>((resolve) => {
    onWritten = resolve;
  });

  const event = await session.turn(async () => {
    await passTick(session.cwd);
    await writeFile(path.join(session.cwd, 'old.txt'), 'new');
    onWritten();
  });

  expect(event).toMatchObject({ files: [{ path: 'old.txt', status: 'modified' }], omitted: [] });
});

test('the reason why checkpoints are not available is reported once, when the session is open', async () => {
  let onFailed: () => void = () => {};
  const failed = new Promise<void>((resolve) => {
    onFailed = resolve;
  });
  const session = await testSession(async () => {
    onFailed();
    throw new Error('no git');
  });
  await failed;
  expect(session.trouble).toEqual([]);

  expect(await session.turn(async () => undefined)).toBeUndefined();

  expect(session.trouble).toEqual(['changes of turns cannot be listed or undone: no git']);
});
