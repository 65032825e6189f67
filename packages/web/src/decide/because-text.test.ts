import { expect, test } from 'vitest';
import { en } from '../text/en.ts';
import { zhCn } from '../text/zh-cn.ts';
import { becauseText } from './because-text.ts';
import { ruleText } from './rule-text.ts';

test('why somebody is asked is said in the language of the interface, and as the desk says it where it tells no more', () => {
  const why = 'the approval level "ask" does not cover execute';
  const because = { code: 'level', level: 'ask', kind: 'execute' } as const;
  expect(becauseText({ why, because }, en.decide)).toBe(
    'the approval level “ask” does not cover: Run a command',
  );
  expect(becauseText({ why, because }, zhCn.decide)).toBe('审批级别“ask”不包括：运行命令');
  expect(becauseText({ why }, zhCn.decide)).toBe(why);
});

test('a rule is said with whose it is and what it is about', () => {
  const rule = {
    origin: 'project',
    tool: 'execute',
    commandPrefix: 'npm publish',
    decision: 'ask',
  } as const;
  const because = { code: 'rules', rules: [rule] } as const;
  expect(becauseText({ why: '', because }, en.decide)).toBe(
    'the project’s rule (ask: Run a command · commands that begin with "npm publish") applies',
  );
  expect(becauseText({ why: '', because: { ...because, isUnclear: true } }, zhCn.decide)).toBe(
    '可能符合项目的规则（询问：运行命令 · 以 "npm publish" 开头的命令）：无法判断该调用会做什么',
  );
});

test('what a rule is about has its ends, and a tool is not taken for a kind', () => {
  const rule = { tool: 'mcp__tracker__*', agent: 'a" · in "b' };
  expect(ruleText(rule, en.decide)).toBe('The tool "mcp__tracker__*" · for the agent "a\\" · in \\"b"');
  expect(ruleText({ tool: 'toString' }, en.decide)).toBe('The tool "toString"');
  expect(ruleText({ tool: '*' }, zhCn.decide)).toBe('所有操作');
});
