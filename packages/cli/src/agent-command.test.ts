import { expect, test } from 'vitest';
import { parseAgentFlags } from './agent-command.ts';

test('the dialect can be given in both ways, and need not be', () => {
  expect(parseAgentFlags([])).toEqual({});
  expect(parseAgentFlags(['--dialect', 'agentao'])).toEqual({ dialect: 'agentao' });
  expect(parseAgentFlags(['--dialect=agentao'])).toEqual({ dialect: 'agentao' });
});

test.each([
  [['--dialect']],
  [['--dialect', 'other']],
  [['--stdio']],
  [['--dialect', 'agentao', 'more']],
  [['word']],
])('%j is wrong usage', (words) => {
  expect(() => parseAgentFlags(words)).toThrow(expect.objectContaining({ code: 'usage' }));
});
