import { readdir } from 'node:fs/promises';
import type { RequestPermissionOutcome } from '@parley/acp';
import { expect, test } from 'vitest';
import { courses, openStage, refused, said, succeeded, type Stage } from './stage.ts';

const select = (optionId: string): RequestPermissionOutcome => ({ outcome: 'selected', optionId });

async function openPlanning(answers: readonly RequestPermissionOutcome[]): Promise<Stage> {
  const left = [...answers];
  const stage = await openStage({ onPermission: () => left.shift() ?? { outcome: 'cancelled' } });
  await stage.agent.request('session/set_mode', { sessionId: stage.sessionId, modeId: 'plan' });
  return stage;
}

const submit = 'call submit_plan {"plan":"1. Write a"}';

test('a plan is asked about with its text, and three answers', async () => {
  await using stage = await openPlanning([]);
  await stage.prompt(submit);
  expect(stage.permissions).toMatchObject([
    {
      toolCall: {
        kind: 'switch_mode',
        title: 'Plan ready for approval',
        content: [{ type: 'content', content: { type: 'text', text: '1. Write a' } }],
      },
      options: [
        { optionId: 'plan_go_ahead', kind: 'allow_once', name: 'Go ahead, ask before each change' },
        {
          optionId: 'plan_go_ahead_writing',
          kind: 'allow_always',
          name: 'Go ahead, change files without asking',
        },
        { optionId: 'plan_keep_planning', kind: 'reject_once', name: 'Keep planning' },
      ],
    },
  ]);
});

test.each([
  ['plan_go_ahead', 'confirm', 2],
  ['plan_go_ahead_writing', 'workspace-write', 1],
])('%s goes on in the same turn, in the mode %s', async (optionId, modeId, questions) => {
  await using stage = await openPlanning([select(optionId), select('allow_once')]);
  expect(await stage.prompt(`${submit}\nwrite a: x`)).toBe('end_turn');
  expect(courses(stage.updates)).toEqual([succeeded, succeeded]);
  expect(stage.permissions).toHaveLength(questions);
  expect(await readdir(stage.directory)).toEqual(['a']);
  expect(stage.updates).toContainEqual({ sessionUpdate: 'current_mode_update', currentModeId: modeId });
  const settings = stage.updates.findLast(({ sessionUpdate }) => sessionUpdate === 'config_option_update');
  expect(JSON.stringify(settings)).toContain(`"currentValue":"${modeId}"`);
});

test.each<RequestPermissionOutcome>([select('plan_keep_planning'), select('allow_once')])(
  '%j keeps the mode: the call fails, and so does a change',
  async (answer) => {
    await using stage = await openPlanning([answer]);
    await stage.prompt(`${submit}\nwrite a: x`);
    expect(courses(stage.updates)).toEqual([refused, refused]);
    expect(await readdir(stage.directory)).toEqual([]);
    expect(
      stage.updates.filter(({ sessionUpdate }) => sessionUpdate === 'config_option_update'),
    ).toHaveLength(1);
  },
);

test('a plan that is answered cancelled keeps the mode, and ends the turn', async () => {
  await using stage = await openPlanning([{ outcome: 'cancelled' }]);
  expect(await stage.prompt(`${submit}\nwrite a: x`)).toBe('cancelled');
  expect(await readdir(stage.directory)).toEqual([]);
  expect(stage.updates.filter(({ sessionUpdate }) => sessionUpdate === 'config_option_update')).toHaveLength(
    1,
  );
});

test('the model receives the answer "keep planning"', async () => {
  await using stage = await openPlanning([select('plan_keep_planning')]);
  await stage.prompt(submit);
  expect(said(stage.updates).at(-1)).toContain('keep planning');
});

test('the tool is there in the mode plan alone, and goes with the approval', async () => {
  await using stage = await openPlanning([select('plan_go_ahead')]);
  await stage.prompt(`${submit}\n${submit}`);
  await stage.prompt(submit);
  expect(stage.permissions).toHaveLength(1);
});

test('an empty plan is not asked about', async () => {
  await using stage = await openPlanning([]);
  await stage.prompt('call submit_plan {"plan":" "}');
  expect(courses(stage.updates)).toEqual([refused]);
  expect(stage.permissions).toEqual([]);
});
