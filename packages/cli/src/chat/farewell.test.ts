import { expect, test } from 'vitest';
import { parseConversationFlags } from '../conversation/flags.ts';
import { farewell } from './farewell.ts';

const capabilities = { loadSession: true };

test('the resume command names folder and agent if they were given', () => {
  const flags = parseConversationFlags({ agent: 'claude', cwd: '/a b' }, '/home');
  expect(farewell({ sessionId: 's', flags, capabilities, cwd: '/home' })).toBe(
    "Resume with: parley chat --cwd '/a b' --agent claude --session s\n",
  );
  const plain = parseConversationFlags({ command: ['agent', '--acp'] }, '/home');
  expect(farewell({ sessionId: 's', flags: plain, capabilities, cwd: '/home' })).toBe(
    'Resume with: parley chat --session s -- agent --acp\n',
  );
});

test('a session that the agent does not store can still be read', () => {
  const flags = parseConversationFlags({}, '/home');
  expect(farewell({ sessionId: 's', flags, capabilities: {}, cwd: '/home' })).toBe(
    'Read it again with: parley sessions show s\n',
  );
});
