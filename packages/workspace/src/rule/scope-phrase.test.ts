import { expect, test } from 'vitest';
import { ruleFieldNames } from './rule-fields.ts';
import type { RuleScope } from './rule.ts';
import { scopePhrase } from './scope-phrase.ts';

const words = {
  some: (tool: string): string => tool,
  all: (tool: string): string => `all calls of ${tool}`,
  quote: (command: string): string => `'${command}'`,
};

test.each<readonly [RuleScope, string]>([
  [{ tool: 'fetch' }, 'all calls of fetch'],
  [{ tool: 'fetch', host: 'a.b' }, 'fetch from a.b'],
  [{ tool: 'execute', command: 'make' }, 'exactly this command'],
  [
    { tool: 'execute', commandPrefix: 'git push', cwd: '~/work', agent: 'codex' },
    "commands that begin with 'git push' run in ~/work",
  ],
])('an answer for %j covers: %s', (scope, expected) => {
  expect(scopePhrase(scope, words)).toBe(expected);
});

test.each(ruleFieldNames.filter((field) => field !== 'agent'))(
  'the field %s is part of what an answer covers',
  (field) => {
    const phrase = scopePhrase({ tool: 'execute', [field]: '2030-01-01' }, words);
    expect(phrase).not.toBe(words.all('execute'));
    expect(phrase).toMatch(/2030-01-01|exactly this command/u);
  },
);
