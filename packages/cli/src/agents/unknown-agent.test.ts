import { expect, test } from 'vitest';
import { unknownAgent } from './unknown-agent.ts';

const names = ['parley', 'claude', 'codex', 'pi', 'claude', 'gemini'];

test.each([
  ['cluade', ' (Did you mean claude?)'],
  ['parle', ' (Did you mean parley?)'],
  ['codec', ' (Did you mean codex?)'],
  ['gmeinii', ' (Did you mean gemini?)'],
  ['p', ' (Did you mean pi?)'],
  ['nope', ''],
  ['', ''],
])('the message for %j suggests similar names only: %j', (name, hint) => {
  expect(unknownAgent(name, names).message).toBe(
    `no agent "${name}"${hint}; "parley agents" lists the available agents`,
  );
});

test('the message says where a name that was not typed comes from', () => {
  expect(unknownAgent('nope', names, '"defaultAgent" of the configuration').message).toBe(
    'no agent "nope", the "defaultAgent" of the configuration; "parley agents" lists the available agents',
  );
});
