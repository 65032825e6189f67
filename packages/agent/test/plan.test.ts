import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createNodeEnvironment } from '../src/node/environment.ts';
import { textWith } from './matchers.ts';
import { courses, openStage, refused, said, succeeded, toolUpdates } from './stage.ts';

const line = (entries: unknown): string => `call plan ${JSON.stringify({ entries })}`;

test('a plan is shown as a plan, whole each time, and not as a tool call', async () => {
  await using stage = await openStage();
  await stage.prompt(
    [
      line([{ content: 'Look', status: 'in_progress', priority: 'high' }, { content: 'Change' }]),
      line([{ content: 'Look', status: 'completed', priority: 'high' }]),
      'say: done',
    ].join('\n'),
  );
  expect(stage.updates.filter(({ sessionUpdate }) => sessionUpdate === 'plan')).toEqual([
    {
      sessionUpdate: 'plan',
      entries: [
        { content: 'Look', status: 'in_progress', priority: 'high' },
        { content: 'Change', status: 'pending', priority: 'medium' },
      ],
    },
    { sessionUpdate: 'plan', entries: [{ content: 'Look', status: 'completed', priority: 'high' }] },
  ]);
  expect(toolUpdates(stage.updates)).toEqual([]);
  expect(said(stage.updates)).toEqual(['done']);
});

test.each([
  ['no list', 5, '"entries" must be a list'],
  ['an empty list', [], '"entries" must not be empty'],
  ['an entry without content', [{ status: 'pending' }], 'entries[0]: "content"'],
  ['an unknown status', [{ content: 'x', status: 'doing' }], 'one of pending, in_progress, completed'],
])('a plan with %s is a failed call', async (_name, entries, message) => {
  await using stage = await openStage();
  await stage.prompt(line(entries));
  expect(courses(stage.updates)).toEqual([refused]);
  expect(toolUpdates(stage.updates)[0]).toMatchObject({ name: 'plan', kind: 'think' });
  expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
    rawOutput: { error: { code: 'invalid-input', message: textWith(message) } },
  });
});

test('a plan is shown again when its session is loaded', async () => {
  const stateDirectory = await mkdtemp(join(tmpdir(), 'parley-plan-'));
  const directory = await mkdtemp(join(tmpdir(), 'parley-plan-'));
  const environment = createNodeEnvironment({ stateDirectory });
  try {
    const { sessionId } = await (async () => {
      await using first = await openStage({ environment, directory });
      await first.prompt(line([{ content: 'Look' }]));
      return first;
    })();
    await using second = await openStage({ environment, directory, first: false });
    await second.agent.request('session/load', second.at(sessionId));
    expect(second.updates).toContainEqual({
      sessionUpdate: 'plan',
      entries: [{ content: 'Look', status: 'pending', priority: 'medium' }],
    });
  } finally {
    await rm(stateDirectory, { recursive: true, force: true });
    await rm(directory, { recursive: true, force: true });
  }
});

test('a thought is a call of its own kind, without a question, in every mode', async () => {
  await using stage = await openStage();
  await stage.agent.request('session/set_mode', { sessionId: stage.sessionId, modeId: 'read-only' });
  await stage.prompt('call think {"thought":"First the left one.\\nThen the right one."}');
  expect(toolUpdates(stage.updates)[0]).toMatchObject({
    title: 'Think: First the left one. Then the right one.',
    kind: 'think',
  });
  expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
    content: [
      { type: 'content', content: { type: 'text', text: 'First the left one.\nThen the right one.' } },
    ],
  });
  expect(courses(stage.updates)).toEqual([succeeded]);
  expect(stage.permissions).toEqual([]);
});
