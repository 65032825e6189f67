import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { changesMethods } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { folder } from '../scripted-agent.ts';
import { git, openChanges, writes } from './changes-stage.ts';
import { createGate } from './hub-stage.ts';

test('a file that the agent writes through its client is reported, undone and redone', async () => {
  const { client, play, list, undo, redo, text, write, cwd } = await openChanges();
  await write('a.txt', 'one\n');
  const sessionId = await client.start();

  await play(sessionId, async ({ client: host, request }) => {
    await host.request('fs/write_text_file', {
      sessionId: request.sessionId,
      path: join(cwd, 'a.txt'),
      content: 'two\n',
    });
  });

  const listed = await list(sessionId);
  expect(listed).toMatchObject({
    sessionId,
    workspace: cwd,
    turns: [
      {
        turn: 1,
        undone: false,
        files: [
          { path: 'a.txt', status: 'modified', additions: 1, deletions: 1, binary: false, reported: true },
        ],
        omitted: [],
      },
    ],
  });
  expect(await undo(sessionId)).toMatchObject({ undone: 1, conflicts: [], files: [{ path: 'a.txt' }] });
  expect(await text('a.txt')).toBe('one\n');
  expect((await list(sessionId)).turns[0]?.undone).toBe(true);
  expect(await redo(sessionId)).toMatchObject({ undone: 1, conflicts: [] });
  expect(await text('a.txt')).toBe('two\n');
  expect((await list(sessionId)).turns[0]?.undone).toBe(false);
});

test('a file that the agent writes by itself is undone, and one that it made is removed with its folder', async () => {
  const { client, play, undo, text, write } = await openChanges();
  await write('a.txt', 'one\n');
  const sessionId = await client.start();
  await play(sessionId, async (turn, cwd) => {
    await mkdir(join(cwd, 'made'));
    await writes('a.txt', 'two\n')(turn, cwd);
    await writes('made/b.txt', 'new\n')(turn, cwd);
  });

  await undo(sessionId);

  expect(await text('a.txt')).toBe('one\n');
  expect(await text('made/b.txt')).toBeUndefined();
});

test('folders that a turn made without files are removed with it, unless they are used by then', async () => {
  const { client, play, undo, write, cwd } = await openChanges();
  await mkdir(join(cwd, 'mine'));
  const sessionId = await client.start();
  await play(sessionId, async (turn) => {
    await mkdir(join(cwd, 'made', 'empty', 'deep'), { recursive: true });
    await mkdir(join(cwd, 'used'));
    await writes('made/b.txt', 'new\n')(turn, cwd);
  });
  await write('used/by-user.txt', 'mine\n');

  await undo(sessionId);

  expect((await readdir(cwd)).toSorted()).toEqual(['mine', 'used']);
});

test('redo creates the folders without files that undo removed, unless a file has their name by then', async () => {
  const { client, play, undo, redo, write, text, cwd } = await openChanges();
  const sessionId = await client.start();
  await play(sessionId, async (turn) => {
    await mkdir(join(cwd, 'made', 'empty', 'deep'), { recursive: true, mode: 0o700 });
    await mkdir(join(cwd, 'taken', 'deep'), { recursive: true });
    await writes('made/b.txt', 'new\n')(turn, cwd);
  });
  await undo(sessionId);
  await write('taken', 'a file of the user\n');

  await redo(sessionId);

  expect(await readdir(join(cwd, 'made', 'empty'))).toEqual(['deep']);
  expect((await stat(join(cwd, 'made', 'empty', 'deep'))).mode & 0o777).toBe(0o700);
  expect(await text('made/b.txt')).toBe('new\n');
  expect(await text('taken')).toBe('a file of the user\n');

  await undo(sessionId);

  expect(await readdir(cwd)).toEqual(['taken']);
});

test('of folders that a turn made, only those in the named paths are removed', async () => {
  const { client, play, undo, cwd } = await openChanges();
  const sessionId = await client.start();
  await play(sessionId, async (turn) => {
    for (const name of ['one', 'two']) {
      await mkdir(join(cwd, name, 'empty'), { recursive: true });
      await writes(`${name}/file.txt`, 'new\n')(turn, cwd);
    }
  });

  await undo(sessionId, { paths: ['one'] });

  expect((await readdir(cwd)).toSorted()).toEqual(['two']);
});

test('what changes while a command of the client runs is reported', async () => {
  const { client, play, list, text, undo } = await openChanges();
  const sessionId = await client.start();
  await play(sessionId, async ({ client: host, request }) => {
    const { terminalId } = await host.request('terminal/create', {
      sessionId: request.sessionId,
      command: 'sh',
      args: ['-c', 'echo made > made.txt'],
    });
    await host.request('terminal/wait_for_exit', { sessionId: request.sessionId, terminalId });
  });

  expect((await list(sessionId)).turns[0]?.files).toMatchObject([{ path: 'made.txt', reported: true }]);
  await undo(sessionId);
  expect(await text('made.txt')).toBeUndefined();
});

test('a file that changes outside of tool calls is unreported, and undone only when it is named', async () => {
  const { client, play, list, undo, text, write } = await openChanges();
  await write('mine.txt', 'mine\n');
  const sessionId = await client.start();
  await play(sessionId, async (turn, cwd) => {
    await writes('its.txt', 'its\n')(turn, cwd);
    await delay(150);
    await writeFile(join(cwd, 'mine.txt'), 'edited\n');
  });

  expect((await list(sessionId)).turns[0]?.files).toMatchObject([
    { path: 'its.txt', reported: true },
    { path: 'mine.txt', reported: false },
  ]);
  expect(await undo(sessionId)).toMatchObject({ files: [{ path: 'its.txt' }], unreported: ['mine.txt'] });
  expect(await text('its.txt')).toBeUndefined();
  expect(await text('mine.txt')).toBe('edited\n');
  expect((await list(sessionId)).turns[0]?.undone).toBe(true);

  await undo(sessionId, { turn: 1, paths: ['mine.txt'] });
  expect(await text('mine.txt')).toBe('mine\n');
});

test('repeated undo reverts earlier turns, but none with only unreported files; redo reverts undos, last first', async () => {
  const { client, play, undo, redo, text, write } = await openChanges();
  const sessionId = await client.start();
  await play(sessionId, writes('a.txt', 'one\n'));
  await play(sessionId, () => {});
  await play(sessionId, writes('b.txt', 'two\n'));
  await play(sessionId, () => write('mine.txt', 'mine\n'));

  const skipped = [{ turn: 4, unreported: ['mine.txt'] }];
  expect(await undo(sessionId)).toMatchObject({ undone: 3, unreported: [], skipped });
  expect(await undo(sessionId)).toMatchObject({ undone: 1, unreported: [], skipped });
  await expect(undo(sessionId)).rejects.toMatchObject({
    data: { code: 'nothing-to-undo' },
    message: expect.stringContaining('turn 4 changed "mine.txt", outside of its tool calls') as string,
  });
  expect([await text('a.txt'), await text('b.txt')]).toEqual([undefined, undefined]);
  expect(await text('mine.txt')).toBe('mine\n');

  expect(await redo(sessionId)).toMatchObject({ undone: 1, files: [{ path: 'a.txt' }] });
  expect(await text('a.txt')).toBe('one\n');
  expect((await redo(sessionId)).undone).toBe(3);
  expect(await text('b.txt')).toBe('two\n');
  await expect(redo(sessionId)).rejects.toMatchObject({ data: { code: 'nothing-to-undo' } });

  expect(await undo(sessionId, { unreported: true, dryRun: true })).toMatchObject({ undone: 4 });
});

test('a single turn is undone, merged with later changes', async () => {
  const { client, play, undo, text, write } = await openChanges();
  const lines = (first: string, last: string): string =>
    [first, 'b', 'c', 'd', 'e', 'f', last, ''].join('\n');
  await write('a.txt', lines('a', 'g'));
  const sessionId = await client.start();
  await play(sessionId, writes('a.txt', lines('A', 'g')));
  await play(sessionId, writes('a.txt', lines('A', 'G')));

  expect((await undo(sessionId, { turn: 1 })).undone).toBe(1);

  expect(await text('a.txt')).toBe(lines('a', 'G'));
});

test('a conflicting undo changes nothing; a forced one can be redone', async () => {
  const { client, play, undo, redo, text, write, list } = await openChanges();
  await write('a.txt', 'one\n');
  await write('b.txt', 'one\n');
  const sessionId = await client.start();
  await play(sessionId, async (turn, cwd) => {
    await writes('a.txt', 'two\n')(turn, cwd);
    await writes('b.txt', 'two\n')(turn, cwd);
  });
  await write('a.txt', 'mine\n');

  for (const params of [{}, { dryRun: true }]) {
    expect(await undo(sessionId, params)).toMatchObject({ files: [], conflicts: [{ path: 'a.txt' }] });
  }
  expect([await text('a.txt'), await text('b.txt')]).toEqual(['mine\n', 'two\n']);
  expect((await list(sessionId)).turns[0]?.undone).toBe(false);

  expect((await undo(sessionId, { force: true })).conflicts).toEqual([]);
  expect([await text('a.txt'), await text('b.txt')]).toEqual(['one\n', 'one\n']);
  await redo(sessionId);
  expect([await text('a.txt'), await text('b.txt')]).toEqual(['mine\n', 'two\n']);
});

test('a dry run lists the effects of an undo, and changes nothing', async () => {
  const { client, play, undo, text, list } = await openChanges();
  const sessionId = await client.start();
  await play(sessionId, writes('a.txt', 'one\n'));

  expect(await undo(sessionId, { dryRun: true })).toMatchObject({ undone: 1, files: [{ path: 'a.txt' }] });

  expect(await text('a.txt')).toBe('one\n');
  expect((await list(sessionId)).turns[0]?.undone).toBe(false);
});

test('undo is rejected while a turn runs in the folder, also in another session', async () => {
  const { client, play, undo, text } = await openChanges();
  const [first, second] = [await client.start(), await client.start()];
  await play(first, writes('a.txt', 'one\n'));
  const [begun, end] = [createGate(), createGate()];
  const turn = play(second, async () => {
    begun.open();
    await end.passed;
  });
  await begun.passed;

  await expect(undo(first)).rejects.toMatchObject({ data: { code: 'turn-running' } });
  expect(await text('a.txt')).toBe('one\n');

  end.open();
  await turn;
  expect((await undo(first)).undone).toBe(1);
});

test('two sessions in one folder, interleaved: each undo takes back its own', async () => {
  const { client, play, undo, text } = await openChanges();
  const [first, second] = [await client.start(), await client.start()];
  await play(first, writes('a.txt', 'first\n'));
  await play(second, writes('b.txt', 'second\n'));
  await play(first, writes('a.txt', 'first\nagain\n'));
  await play(second, writes('b.txt', 'second\nagain\n'));

  await undo(first);
  expect([await text('a.txt'), await text('b.txt')]).toEqual(['first\n', 'second\nagain\n']);
  await undo(second);
  await undo(second);
  expect([await text('a.txt'), await text('b.txt')]).toEqual(['first\n', undefined]);
});

test('files in a folder renamed by a command are attributed to it, despite their old times', async () => {
  const { client, play, list, cwd, write, undo, text } = await openChanges();
  await mkdir(join(cwd, 'old'));
  await write('old/a.txt', 'a\n');
  const sessionId = await client.start();
  await play(sessionId, async ({ client: host, request, update }) => {
    const call = { toolCallId: 'mv', title: 'mv', kind: 'execute', status: 'in_progress' } as const;
    await update({ sessionUpdate: 'tool_call', ...call });
    // Once this is answered, the call has been received.
    await host.request('fs/read_text_file', {
      sessionId: request.sessionId,
      path: join(cwd, 'old', 'a.txt'),
    });
    await rename(join(cwd, 'old'), join(cwd, 'new'));
    await update({ sessionUpdate: 'tool_call_update', ...call, status: 'completed' });
  });

  expect((await list(sessionId)).turns[0]?.files).toMatchObject([
    { path: 'new/a.txt', oldPath: 'old/a.txt', status: 'renamed', reported: true },
  ]);
  await undo(sessionId);
  expect([await text('old/a.txt'), await text('new/a.txt')]).toEqual(['a\n', undefined]);
});

test('a file over the limit is listed as omitted, also by a commit, and left alone', async () => {
  const { client, play, list, cwd, undo, text } = await openChanges({ maxFileBytes: 100 });
  await git(cwd, 'init', '-q');
  await git(cwd, 'config', 'user.name', 'ada');
  await git(cwd, 'config', 'user.email', 'ada@example.com');
  const sessionId = await client.start();
  await play(sessionId, async (turn) => {
    await writes('small.txt', 'small\n')(turn, cwd);
    await writes('large.txt', 'x'.repeat(101))(turn, cwd);
  });

  const [turn] = (await list(sessionId)).turns;
  expect(turn?.files.map(({ path }) => path)).toEqual(['small.txt']);
  const omitted = [{ path: 'large.txt', why: 'too-large' }];
  expect(turn?.omitted).toEqual(omitted);
  expect(await client.ask(changesMethods.commitChanges, { sessionId, message: 'first' })).toMatchObject({
    files: [{ path: 'small.txt' }],
    omitted,
  });
  await undo(sessionId);
  expect(await text('large.txt')).toHaveLength(101);
});

test('the next prompt says which files an undo changed, and the user sees only their own words', async () => {
  const { client, play, undo, stage } = await openChanges();
  const sessionId = await client.start();
  await play(sessionId, writes('a.txt', 'one\n'));
  await undo(sessionId);
  await play(sessionId, () => {});
  await play(sessionId, () => {});

  const [, second, third] = stage.prompts.map(({ prompt }) => prompt);
  expect(second).toMatchObject([
    { type: 'text', text: expect.stringContaining('- a.txt') as string },
    { text: 'go' },
  ]);
  expect(third).toMatchObject([{ text: 'go' }]);
  const said = [...client.events(sessionId)].filter(
    (event) => (event as { type: string }).type === 'turn-start',
  );
  expect(said[1]).toMatchObject({
    prompt: [{ text: 'go' }],
    preface: expect.stringContaining('a.txt') as string,
  });
});

test('a session without an agent can be undone, and followers see the event with its sender', async () => {
  const { client, play, undo, list, text, stage } = await openChanges();
  const sessionId = await client.start();
  await play(sessionId, writes('a.txt', 'one\n'));
  await client.ask('session/close', { sessionId });
  const later = await stage.join('bob');
  await later.watch(sessionId);

  expect((await undo(sessionId)).undone).toBe(1);

  expect(await text('a.txt')).toBeUndefined();
  await later.until(() => later.view(sessionId).changes.undos.length === 1);
  expect(later.events(sessionId).at(-1)).toMatchObject({ type: 'changes-undone', from: { person: 'ada' } });
  expect((await list(sessionId)).turns[0]?.undone).toBe(true);
});

test('the event of a turn comes before its end', async () => {
  const { client, play } = await openChanges();
  const sessionId = await client.start();
  await play(sessionId, writes('a.txt', 'one\n'));
  await client.until(() =>
    client.events(sessionId).some((event) => (event as { type: string }).type === 'turn-end'),
  );

  const types = client.events(sessionId).map((event) => (event as { type: string }).type);
  expect(types.indexOf('changes')).toBe(types.indexOf('turn-end') - 1);
});

test('the diff of a session leaves out what was undone and what others edited in between', async () => {
  const { client, play, undo, write } = await openChanges();
  const lines = (first: string, middle: string, last: string): string =>
    [first, 'b', 'c', 'd', 'e', middle, 'g', 'h', 'i', 'j', last, ''].join('\n');
  await write('a.txt', lines('a', 'f', 'k'));
  const sessionId = await client.start();
  await play(sessionId, writes('a.txt', lines('A', 'f', 'k')));
  await write('a.txt', lines('A', 'mine', 'k'));
  await play(sessionId, writes('a.txt', lines('A', 'mine', 'K')));
  await play(sessionId, writes('b.txt', 'b\n'));
  await undo(sessionId);

  expect(await client.ask(changesMethods.diffChanges, { sessionId })).toMatchObject({
    files: [{ path: 'a.txt', status: 'modified', additions: 2, deletions: 2, reported: true }],
  });
});

test('the diff says that there is no git repository to commit to', async () => {
  const { client, cwd, play } = await openChanges();
  const sessionId = await client.start();
  await play(sessionId, writes('a.txt', 'a\n'));

  const plain = await client.ask(changesMethods.diffChanges, { sessionId });
  await git(cwd, 'init', '-q');
  const repository = await client.ask(changesMethods.diffChanges, { sessionId });

  expect(plain).toMatchObject({ files: [{ path: 'a.txt' }], noRepository: true });
  expect(repository).not.toHaveProperty('noRepository');
});

test('after a revert and an undo, the diff of a session is what is left of its changes in the files', async () => {
  const { client, play, undo, redo, write, text } = await openChanges();
  const lines = (first: string, last: string): string =>
    [first, 'b', 'c', 'd', 'e', 'f', 'g', 'h', last, ''].join('\n');
  const diff = async (): Promise<unknown> =>
    ((await client.ask(changesMethods.diffChanges, { sessionId })) as { files: unknown }).files;
  const reverted = async (path: string): Promise<void> => {
    const { files } = (await client.ask(changesMethods.diffChanges, { sessionId, paths: [path] })) as {
      files: readonly { hunks: readonly { id: string }[] }[];
    };
    const hunks = files.flatMap((file) => file.hunks.map(({ id }) => id)).slice(0, 1);
    await client.ask(changesMethods.revertHunks, { sessionId, hunks });
  };
  await write('a.txt', lines('a', 'i'));
  await write('b.txt', 'b\n');
  const sessionId = await client.start();
  await play(sessionId, async (turn, cwd) => {
    await writes('a.txt', lines('A', 'i'))(turn, cwd);
    await writes('b.txt', 'B\n')(turn, cwd);
  });
  await reverted('b.txt');
  await undo(sessionId);
  expect(await diff()).toEqual([]);
  await redo(sessionId);
  expect(await diff()).toMatchObject([{ path: 'a.txt' }]);

  await play(sessionId, writes('a.txt', lines('A', 'I')));
  await undo(sessionId, { turn: 1 });
  expect(await text('a.txt')).toBe(lines('a', 'I'));
  expect(await diff()).toMatchObject([
    {
      path: 'a.txt',
      hunks: [{ header: '@@ -6,4 +6,4 @@ e', lines: [' f', ' g', ' h', '-i', '+I'] }],
    },
  ]);
});

test('a kept hunk is no longer unreviewed, and a reverted one is removed', async () => {
  const { client, play, write, text, redo } = await openChanges();
  const lines = (first: string, last: string): string =>
    [first, 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', last, ''].join('\n');
  await write('a.txt', lines('a', 'k'));
  const sessionId = await client.start();
  await play(sessionId, writes('a.txt', lines('A', 'K')));
  const diff = async (params: object = {}): Promise<readonly string[]> => {
    const { files } = (await client.ask(changesMethods.diffChanges, { sessionId, ...params })) as {
      files: readonly { hunks: readonly { id: string }[] }[];
    };
    return files.flatMap(({ hunks }) => hunks.map(({ id }) => id));
  };
  const [first = '', second = ''] = await diff();

  await client.ask(changesMethods.keepHunks, { sessionId, hunks: [first] });
  expect(await diff({ unreviewed: true })).toEqual([second]);
  expect(await diff()).toEqual([first, second]);

  await client.ask(changesMethods.revertHunks, { sessionId, hunks: [second] });
  expect(await text('a.txt')).toBe(lines('A', 'k'));
  expect(await diff()).toEqual([first]);
  await expect(
    client.ask(changesMethods.revertHunks, { sessionId, hunks: ['unknown'] }),
  ).rejects.toMatchObject({
    data: { code: 'nothing-to-undo' },
  });

  await redo(sessionId);
  expect(await text('a.txt')).toBe(lines('A', 'K'));
});

test("a commit contains the session's changes, without the user's edits and undone changes", async () => {
  const { client, play, undo, write, cwd } = await openChanges();
  await git(cwd, 'init', '-q');
  await write('a.txt', 'a\n');
  await write('mine.txt', 'mine\n');
  await git(cwd, 'add', '.');
  await git(cwd, 'commit', '-qm', 'first');
  await git(cwd, 'config', 'user.name', 'ada');
  await git(cwd, 'config', 'user.email', 'ada@example.com');
  const sessionId = await client.start();
  await play(sessionId, writes('a.txt', 'A\n'));
  await play(sessionId, writes('b.txt', 'b\n'));
  await undo(sessionId);
  await write('mine.txt', 'edited\n');

  const { commit } = (await client.ask(changesMethods.commitChanges, { sessionId, message: 'second' })) as {
    commit: string;
  };

  expect(await git(cwd, 'rev-parse', 'HEAD')).toBe(commit);
  expect(await git(cwd, 'show', '--format=%s', '--name-status', 'HEAD')).toBe('second\n\nM\ta.txt');
  expect(await git(cwd, 'status', '--porcelain')).toBe('M mine.txt');
});

test("a commit leaves out a user's edits during a later turn; where they cannot be separated, nothing is committed", async () => {
  const { client, play, write, cwd } = await openChanges();
  const lines = (first: string, last: string): string =>
    [first, 'b', 'c', 'd', 'e', 'f', last, ''].join('\n');
  await git(cwd, 'init', '-q');
  await git(cwd, 'config', 'user.name', 'ada');
  await git(cwd, 'config', 'user.email', 'ada@example.com');
  await write('a.txt', lines('a', 'g'));
  await write('b.txt', lines('a', 'g'));
  await git(cwd, 'add', '.');
  await git(cwd, 'commit', '-qm', 'first');
  const sessionId = await client.start();
  await play(sessionId, async (turn) => {
    await writes('a.txt', lines('A', 'g'))(turn, cwd);
    await writes('b.txt', lines('A', 'g'))(turn, cwd);
  });
  await play(sessionId, async () => {
    await write('a.txt', lines('A', 'mine'));
    await write('b.txt', lines('A', 'mine'));
  });
  await play(sessionId, writes('a.txt', lines('AA', 'mine')));
  const commit = (): Promise<unknown> =>
    client.ask(changesMethods.commitChanges, { sessionId, message: 'second' });

  expect(await commit()).toMatchObject({
    files: [{ path: 'a.txt' }, { path: 'b.txt' }],
    conflicts: [],
    unreported: ['a.txt', 'b.txt'],
  });
  for (const [name, first] of Object.entries({ a: 'AA', b: 'A' })) {
    expect(await git(cwd, 'show', `HEAD:${name}.txt`)).toBe(lines(first, 'g').trimEnd());
  }
  const head = await git(cwd, 'rev-parse', 'HEAD');

  await play(sessionId, writes('b.txt', lines('A', 'its')));
  expect(await commit()).toMatchObject({ files: [], conflicts: [{ path: 'b.txt' }] });
  expect(await git(cwd, 'rev-parse', 'HEAD')).toBe(head);
});

test('checkpoints change nothing in a repository: index, references, stash, configuration and status', async () => {
  const { client, play, undo, redo, write, cwd } = await openChanges();
  await git(cwd, 'init', '-q');
  await write('a.txt', 'a\n');
  await git(cwd, 'add', '.');
  await git(cwd, 'commit', '-qm', 'first');
  const state = async (): Promise<readonly string[]> => {
    const { createHash } = await import('node:crypto');
    const index = createHash('sha256')
      .update(await readFile(join(cwd, '.git', 'index')))
      .digest('hex');
    const config = await readFile(join(cwd, '.git', 'config'), 'utf8');
    return [
      index,
      config,
      await git(cwd, 'for-each-ref'),
      await git(cwd, 'reflog'),
      await git(cwd, 'stash', 'list'),
    ];
  };
  const before = await state();
  const sessionId = await client.start();

  await play(sessionId, writes('a.txt', 'b\n'));
  await undo(sessionId);
  await redo(sessionId);

  expect(await state()).toEqual(before);
});

test('undo does not write through a folder that was replaced by a link', async () => {
  const { client, play, undo, cwd } = await openChanges();
  await mkdir(join(cwd, 'dir'));
  await mkdir(join(cwd, 'elsewhere'));
  const sessionId = await client.start();
  await play(sessionId, writes('dir/a.txt', 'one\n'));
  await rename(join(cwd, 'dir'), join(cwd, 'moved'));
  await symlink('elsewhere', join(cwd, 'dir'));
  await writeFile(join(cwd, 'elsewhere', 'a.txt'), 'one\n');

  await undo(sessionId).catch(() => undefined);

  expect(await readFile(join(cwd, 'elsewhere', 'a.txt'), 'utf8')).toBe('one\n');
});

test('without its checkpoints a turn cannot be undone, and the error says so', async () => {
  const { client, play, undo, stateDir } = await openChanges();
  const sessionId = await client.start();
  await play(sessionId, writes('a.txt', 'one\n'));
  await rm(join(stateDir, 'checkpoints'), { recursive: true });

  await expect(undo(sessionId)).rejects.toMatchObject({ data: { code: 'expired' } });
});

test('a turn whose checkpoint was removed is listed as unavailable, and hides no other turn', async () => {
  const { client, play, list, undo, redo, text, stateDir } = await openChanges();
  const sessionId = await client.start();
  await play(sessionId, writes('a.txt', 'one\n'));
  await play(sessionId, writes('b.txt', 'two\n'));
  await play(sessionId, writes('c.txt', 'three\n'));
  await undo(sessionId);
  const stores = await readdir(join(stateDir, 'checkpoints'));
  const store = stores.find((name) => /^[\da-f]{32}$/u.test(name)) ?? '';
  const file = join(stateDir, 'checkpoints', store, 'checkpoints.json');
  const [, ...others] = JSON.parse(await readFile(file, 'utf8')) as readonly unknown[];
  await writeFile(file, JSON.stringify(others));

  expect((await list(sessionId)).turns).toMatchObject([
    { turn: 1, unavailable: {} },
    { turn: 2 },
    { turn: 3 },
  ]);
  const diff = await client.ask(changesMethods.diffChanges, { sessionId });
  expect(diff).toMatchObject({
    files: [{ path: 'b.txt', hunks: [{}] }],
    unavailable: [{ turn: 1 }],
  });
  const { files } = diff as { files: readonly { hunks: readonly { id: string }[] }[] };
  await client.ask(changesMethods.revertHunks, { sessionId, hunks: files[0]?.hunks.map(({ id }) => id) });
  expect(await text('b.txt')).toBeUndefined();
  await redo(sessionId);
  expect(await undo(sessionId)).toMatchObject({ undone: 2 });
  await expect(undo(sessionId)).rejects.toMatchObject({ data: { code: 'expired' } });
  await expect(client.ask(changesMethods.commitChanges, { sessionId, message: 'x' })).rejects.toMatchObject({
    message: expect.stringContaining('the checkpoints of turn 1 are not stored here') as string,
  });
  expect(await text('a.txt')).toBe('one\n');
});

test('the state folder may be inside the workspace, and is no part of what turns change', async () => {
  const workspace = await folder();
  const { client, play, list, undo, text } = await openChanges({
    cwd: workspace,
    stateDir: join(workspace, 'state'),
  });
  const sessionId = await client.start();
  await play(sessionId, writes('a.txt', 'one\n'));

  expect((await list(sessionId)).turns[0]?.files.map(({ path }) => path)).toEqual(['a.txt']);
  await undo(sessionId);
  expect(await text('a.txt')).toBeUndefined();
});

test('a turn in a subfolder blocks undo in the folder above', async () => {
  const outer = await folder();
  const inner = join(outer, 'inner');
  await mkdir(inner);
  const stateDir = await folder();
  const [above, below] = [
    await openChanges({ cwd: outer, stateDir }),
    await openChanges({ cwd: inner, stateDir }),
  ];
  const [first, second] = [await above.client.start(), await below.client.start()];
  await above.play(first, writes('a.txt', 'one\n'));
  const [begun, end] = [createGate(), createGate()];
  const turn = below.play(second, async () => {
    begun.open();
    await end.passed;
  });
  await begun.passed;

  await expect(above.undo(first)).rejects.toMatchObject({ data: { code: 'turn-running' } });

  end.open();
  await turn;
  await above.undo(first);
  expect(await above.text('a.txt')).toBeUndefined();
});

test('a folder with a dangling .git file is treated as a plain folder', async () => {
  const { client, play, undo, text, write } = await openChanges();
  await write('.git', 'gitdir: /nowhere/at/all\n');
  const sessionId = await client.start();
  await play(sessionId, writes('a.txt', 'one\n'));

  expect((await undo(sessionId)).undone).toBe(1);
  expect(await text('a.txt')).toBeUndefined();
});

test('undo after a branch switch merges, or changes nothing', async () => {
  const { client, play, undo, text, write, cwd } = await openChanges();
  await git(cwd, 'init', '-q');
  await git(cwd, 'symbolic-ref', 'HEAD', 'refs/heads/main');
  await write('a.txt', 'a\n');
  await git(cwd, 'add', '.');
  await git(cwd, 'commit', '-qm', 'first');
  const sessionId = await client.start();
  await play(sessionId, writes('a.txt', 'agent\n'));
  await git(cwd, 'checkout', '-qb', 'other');
  await git(cwd, 'commit', '-qam', 'agent');
  await write('a.txt', 'rebased\n');
  await git(cwd, 'commit', '-qam', 'rebased');
  await git(cwd, 'gc', '-q', '--prune=now');

  expect((await undo(sessionId)).conflicts).toEqual([{ path: 'a.txt' }]);
  expect(await text('a.txt')).toBe('rebased\n');
});
