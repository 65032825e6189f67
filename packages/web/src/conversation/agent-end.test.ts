import { expect, test } from 'vitest';
import { conversation as text } from '../text/en/conversation.ts';
import { describeAgentEnd } from './agent-end.ts';

test('the end of an agent is described with the known details', () => {
  expect(describeAgentEnd({ exitCode: 3 }, text)).toBe('The agent exited with status 3.');
  expect(describeAgentEnd({ signal: 'SIGKILL' }, text)).toBe('The agent was ended by SIGKILL.');
  expect(describeAgentEnd({}, text)).toBe('The agent exited.');
});
