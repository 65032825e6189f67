import path from 'node:path';
import { expect, test } from 'vitest';
import { heldToParents } from '../src/index.ts';
import { answerList } from '../src/permission/remembered/stored-answer.ts';
import { delegationStage } from './delegation-stage.ts';
import { folder } from './harness.ts';

test('the rules of a delegate are not wider than those of its parent', () => {
  const rules = [
    { tool: 'execute', decision: 'allow', agent: 'child' },
    { tool: 'edit', decision: 'deny', agent: 'parent' },
    { tool: 'read', decision: 'ask', agent: 'child' },
    { tool: 'fetch', decision: 'allow' },
  ] as const;

  expect(heldToParents(rules, 'child', ['parent'])).toEqual([
    { tool: 'edit', decision: 'deny', agent: 'child' },
    { tool: 'read', decision: 'ask', agent: 'child' },
    { tool: 'fetch', decision: 'allow' },
  ]);
  expect(heldToParents(rules, 'child', ['child'])).toEqual(rules);
});

const question = {
  request: 'session/request_permission',
  params: {
    sessionId: '$SESSION',
    toolCall: { toolCallId: 'c1', title: 'git status', kind: 'execute', rawInput: { command: 'git status' } },
    options: [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ],
  },
};

test.each([
  { what: 'its agent alone', agent: 'scripted', decision: 'no' },
  { what: 'all agents', agent: undefined, decision: 'yes' },
])(
  'what a rule or a remembered answer allows to $what is "$decision" for a delegate of another agent',
  async ({ agent, decision }) => {
    const rule = { tool: 'execute', decision: 'allow', ...(agent !== undefined && { agent }) } as const;
    const answersFile = path.join(await folder(), 'answers.json');
    const answer = {
      id: 'a1',
      scope: 'user',
      rule,
      answersRule: false,
      time: new Date().toISOString(),
    } as const;
    await answerList(answersFile).change(() => [answer]);

    for (const from of [{ rules: [rule] }, { rules: [], answersFile }]) {
      const { rules, ...options } = from;
      // A level that was given would come first.
      const policy = { approve: { level: 'reads', given: false }, rules } as const;
      const stage = await delegationStage({ faults: ['scripted'], policy, ...options });
      await stage.call('delegate', { agent: 'scripted', prompt: JSON.stringify([question]) });
      expect(await stage.event(({ type }) => type === 'permission')).toMatchObject({ decision });
    }
  },
);
