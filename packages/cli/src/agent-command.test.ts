import { expect, test } from 'vitest';
import { parseAgentFlags } from './agent-command.ts';

test('--dialect is optional, and accepts both forms', () => {
  expect(parseAgentFlags([])).toEqual({});
  expect(parseAgentFlags(['--dialect', 'agentao'])).toEqual({ dialect: 'agentao' });
  expect(parseAgentFlags(['--dialect=agentao'])).toEqual({ dialect: 'agentao' });
});

test('--resume works with and without a session id', () => {
  expect(parseAgentFlags(['--resume'])).toEqual({ resume: {} });
  expect(parseAgentFlags(['--resume', 'sess_1'])).toEqual({ resume: { sessionId: 'sess_1' } });
  expect(parseAgentFlags(['--resume=sess_1'])).toEqual({ resume: { sessionId: 'sess_1' } });
  expect(parseAgentFlags(['--resume', '--dialect', 'agentao'])).toEqual({ resume: {}, dialect: 'agentao' });
});

test('--model takes PROVIDER/MODEL as the model of new sessions', () => {
  expect(parseAgentFlags(['--model', 'OpenAI/gpt-5'])).toEqual({ initialModel: 'OpenAI/gpt-5' });
  expect(parseAgentFlags(['--model=router/a/b'])).toEqual({ initialModel: 'router/a/b' });
});

test.each([
  [['--model']],
  [['--model', 'gpt-5']],
  [['--model', '/gpt-5']],
  [['--model', 'openai/']],
  [['--resume', 'one', 'two']],
  [['--dialect']],
  [['--dialect', 'other']],
  [['--stdio']],
  [['--dialect', 'agentao', 'more']],
  [['word']],
])('%j is wrong usage', (words) => {
  expect(() => parseAgentFlags(words)).toThrow(expect.objectContaining({ code: 'usage' }));
});
