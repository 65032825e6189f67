import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { courses, openStage, ranAndFailed, refused, said, succeeded, toolUpdates } from './stage.ts';

const select = (optionId: string) => () => ({ outcome: 'selected', optionId }) as const;

test('a question comes after the tool call, before it runs, with four options', async () => {
  const order: string[] = [];
  await using stage = await openStage({
    onUpdate: (update) => {
      if (update.sessionUpdate.startsWith('tool_call')) {
        order.push('status' in update ? String(update.status) : '');
      }
    },
    onPermission: ({ options }) => {
      order.push('question');
      expect(options.map(({ kind }) => kind)).toEqual([
        'allow_once',
        'allow_always',
        'reject_once',
        'reject_always',
      ]);
      return { outcome: 'selected', optionId: 'allow_once' };
    },
  });
  await stage.prompt('write a.txt: x');
  expect(order).toEqual(['pending', 'question', 'in_progress', 'completed']);
});

test('the question about a command shows all of it, however long', async () => {
  await using stage = await openStage({ onPermission: select('reject_once') });
  const command = `echo ${'x'.repeat(500)} && rm -r y`;
  await stage.prompt(`run ${command}`);
  const [question] = stage.permissions;
  expect(question?.toolCall.title?.length).toBeLessThan(200);
  expect(JSON.stringify(question?.toolCall.content)).toContain(command);
  expect(question?.toolCall.rawInput).toEqual({ command, cwd: stage.directory });
});

test.each(['reject_once', 'reject_always', 'allow', 'nonsense'])(
  'the answer %j rejects: the call fails, nothing happens, and the turn goes on',
  async (optionId) => {
    await using stage = await openStage({ onPermission: select(optionId) });
    expect(await stage.prompt('write a.txt: x\nsay: go on')).toBe('end_turn');
    expect(courses(stage.updates)).toEqual([refused]);
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({ rawOutput: { error: { code: 'refused' } } });
    expect(said(stage.updates).at(-1)).toBe('go on');
    expect(await readdir(stage.directory)).toEqual([]);
  },
);

test('a permission request that the client answers cancelled ends the turn, and nothing is written', async () => {
  await using stage = await openStage({ onPermission: () => ({ outcome: 'cancelled' }) });
  expect(await stage.prompt('write a.txt: x\nsay: go on')).toBe('cancelled');
  expect(courses(stage.updates)).toEqual([refused]);
  expect(said(stage.updates)).toEqual([]);
  expect(await readdir(stage.directory)).toEqual([]);
});

test('a client that fails at the question gives no permission', async () => {
  await using stage = await openStage({ onPermission: () => Promise.reject(new Error('no window')) });
  expect(await stage.prompt('write a.txt: x\nsay: go on')).toBe('end_turn');
  expect(courses(stage.updates)).toEqual([refused]);
  expect(await readdir(stage.directory)).toEqual([]);
});

describe('allow_always', () => {
  test('for a command covers that command and no other', async () => {
    await using stage = await openStage({ onPermission: select('allow_always') });
    await stage.prompt('run echo one\nrun echo one\nrun echo one two\nrun echo one');
    const { directory: cwd } = stage;
    expect(stage.permissions.map(({ toolCall }) => toolCall.rawInput)).toEqual([
      { command: 'echo one', cwd },
      { command: 'echo one two', cwd },
    ]);
  });

  test('for an edit covers edits, and neither deletes, moves nor commands', async () => {
    await using stage = await openStage({ onPermission: select('allow_always') });
    await stage.prompt(
      [
        'write a: one',
        'write b: two',
        'replace two with 2 in b',
        'move b to c',
        'delete a',
        'run echo x',
      ].join('\n'),
    );
    expect(stage.permissions.map(({ toolCall }) => toolCall.kind)).toEqual([
      'edit',
      'move',
      'delete',
      'execute',
    ]);
  });

  test('applies to the session, and to no other', async () => {
    await using stage = await openStage({ onPermission: select('allow_always') });
    const other = await stage.openSession();
    await stage.prompt('write a: x');
    await stage.prompt('write a: y');
    expect(stage.permissions).toHaveLength(1);
    await stage.prompt('write a: z', other);
    expect(stage.permissions).toHaveLength(2);
  });
});

test('why the user rejected something reaches the model, where the client says it', async () => {
  await using stage = await openStage({
    onPermission: () => ({
      outcome: 'selected',
      optionId: 'reject_once',
      _meta: { 'parley/reason': ' use the other file ' },
    }),
  });
  await stage.prompt('write notes.txt: hello');
  expect(said(stage.updates).at(-1)).toContain('use the other file');
  expect(stage.agent.capabilities._meta?.['parley/reject-reason']).toBe(true);
});

test('reject_always is not asked again, and says why it fails', async () => {
  await using stage = await openStage({ onPermission: select('reject_always') });
  await stage.prompt('write a: x\nwrite b: x');
  expect(stage.permissions).toHaveLength(1);
  expect(courses(stage.updates)).toEqual([refused, refused]);
  expect(said(stage.updates).at(-1)).toContain('rejected this for the whole session');
});

describe('modes', () => {
  const setMode = async (stage: Awaited<ReturnType<typeof openStage>>, modeId: string): Promise<unknown> => {
    const sessionId = await stage.openSession();
    return await stage.agent
      .request('session/set_mode', { sessionId, modeId })
      .then((result) => ({ sessionId, result }));
  };

  test('a session offers five, and begins with confirm', async () => {
    await using stage = await openStage();
    const { modes } = await stage.agent.request('session/new', { cwd: stage.directory, mcpServers: [] });
    expect(modes?.currentModeId).toBe('confirm');
    expect(modes?.availableModes.map(({ id }) => id)).toEqual([
      'confirm',
      'workspace-write',
      'full-access',
      'read-only',
      'plan',
    ]);
  });

  test.each([
    ['confirm', 2, succeeded],
    ['workspace-write', 1, succeeded],
    ['full-access', 0, succeeded],
    ['read-only', 0, refused],
    ['plan', 0, refused],
    ['code', 2, succeeded],
  ])('%s: a write and a command ask %i times', async (modeId, questions, course) => {
    await using stage = await openStage();
    const sessionId = await stage.openSession();
    await stage.agent.request('session/set_mode', { sessionId, modeId });
    await stage.prompt('write a.txt: x\nrun echo x', sessionId);
    expect(stage.permissions).toHaveLength(questions);
    expect(courses(stage.updates)).toEqual([course, course]);
  });

  test('any id is echoed in an update and then in the answer', async () => {
    await using stage = await openStage();
    expect(await setMode(stage, 'architect')).toMatchObject({ result: { modeId: 'architect' } });
    expect(stage.updates).toEqual([{ sessionUpdate: 'current_mode_update', currentModeId: 'architect' }]);
  });

  test('an unknown id changes no right', async () => {
    await using stage = await openStage();
    const sessionId = await stage.openSession();
    await stage.agent.request('session/set_mode', { sessionId, modeId: 'read-only' });
    await stage.agent.request('session/set_mode', { sessionId, modeId: 'architect' });
    await stage.prompt('write a.txt: x', sessionId);
    expect(await readdir(stage.directory)).toEqual([]);
  });

  test('an empty id is refused', async () => {
    await using stage = await openStage();
    await expect(setMode(stage, '')).rejects.toMatchObject({ code: -32602 });
  });

  test('a mode may be set during a turn, and applies from the next call', async () => {
    const modeSetter = { set: (): Promise<unknown> => Promise.resolve() };
    await using stage = await openStage({
      onPermission: async () => {
        await modeSetter.set();
        return { outcome: 'selected', optionId: 'allow_once' };
      },
    });
    const sessionId = await stage.openSession();
    modeSetter.set = () => stage.agent.request('session/set_mode', { sessionId, modeId: 'read-only' });
    await stage.prompt('write a.txt: x\nwrite b.txt: x', sessionId);
    expect(await readdir(stage.directory)).toEqual(['a.txt']);
  });

  test('full access does not lead outside the directories', async () => {
    await using stage = await openStage();
    const sessionId = await stage.openSession();
    await stage.agent.request('session/set_mode', { sessionId, modeId: 'full-access' });
    await stage.prompt('write ../a.txt: x\ndelete ..\nmove ../a.txt to b.txt', sessionId);
    expect(courses(stage.updates)).toEqual([ranAndFailed, ranAndFailed, ranAndFailed]);
  });
});

test('additional directories can be read and written, others not', async () => {
  await using stage = await openStage();
  await using more = await openStage();
  await writeFile(join(more.directory, 'a.txt'), 'old');
  const { sessionId } = await stage.agent.request('session/new', {
    cwd: stage.directory,
    additionalDirectories: [more.directory],
    mcpServers: [],
  });
  await stage.prompt(`read ${more.directory}/a.txt\nwrite ${more.directory}/a.txt: new`, sessionId);
  expect(await readFile(join(more.directory, 'a.txt'), 'utf8')).toBe('new');
});
