import { expect, test } from 'vitest';
import { parseConversationFlags } from '../conversation/flags.ts';
import { farewell } from './farewell.ts';

const capabilities = { loadSession: true };

test('the way back names the folder and the agent where they were chosen', () => {
  const flags = parseConversationFlags({ agent: 'claude', cwd: '/a b' }, '/home');
  expect(farewell({ sessionId: 's', flags, capabilities, cwd: '/home' })).toBe(
    "To go on with this: parley chat --cwd '/a b' --agent claude --session s\n",
  );
  const plain = parseConversationFlags({ command: ['agent', '--acp'] }, '/home');
  expect(farewell({ sessionId: 's', flags: plain, capabilities, cwd: '/home' })).toBe(
    'To go on with this: parley chat --session s -- agent --acp\n',
  );
});

test('a session that the agent does not keep can be read', () => {
  const flags = parseConversationFlags({}, '/home');
  expect(farewell({ sessionId: 's', flags, capabilities: {}, cwd: '/home' })).toBe(
    'To read this again: parley sessions show s\n',
  );
});
