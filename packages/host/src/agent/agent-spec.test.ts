import { expect, test } from 'vitest';
import { specSecrets, specVariables, type AgentReach } from './agent-spec.ts';

const command: AgentReach = { by: 'command', command: 'agent' };

test('variables are secrets, unless they are public', () => {
  const spec = { name: 'a', reach: command, env: { KEY: 'k', LEVEL: 'high' }, publicEnv: new Set(['LEVEL']) };
  expect(specSecrets({ ...spec, secrets: ['typed'] })).toEqual(['typed', 'k']);
  expect(specVariables(spec)).toEqual({ KEY: 'k', LEVEL: 'high' });
});

test('headers of a remote agent are secrets, including the credentials in them', () => {
  const reach: AgentReach = {
    by: 'url',
    url: 'https://example.com/acp',
    headers: { Authorization: 'Bearer token-1', 'X-Team': 'blue' },
  };
  expect(specSecrets({ name: 'a', reach })).toEqual(['Bearer token-1', 'blue', 'token-1']);
  expect(specVariables({ name: 'a', reach })).toMatchObject({ 'Authorization credentials': 'token-1' });
});
