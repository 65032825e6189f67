import { expect, test } from 'vitest';
import { parseAgentFlags } from './agent-command.ts';

test('the dialect can be given in both ways, and need not be', () => {
  expect(parseAgentFlags([])).toEqual({});
  expect(parseAgentFlags(['--dialect', 'agentao'])).toEqual({ dialect: 'agentao' });
  expect(parseAgentFlags(['--dialect=agentao'])).toEqual({ dialect: 'agentao' });
});

test('the session to go on with can be named, and need not be', () => {
  expect(parseAgentFlags(['--resume'])).toEqual({ resume: {} });
  expect(parseAgentFlags(['--resume', 'sess_1'])).toEqual({ resume: { sessionId: 'sess_1' } });
  expect(parseAgentFlags(['--resume=sess_1'])).toEqual({ resume: { sessionId: 'sess_1' } });
  expect(parseAgentFlags(['--resume', '--dialect', 'agentao'])).toEqual({ resume: {}, dialect: 'agentao' });
});

test('the model sessions begin with is provider and model', () => {
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
