import type { DecisionReason } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { en } from '../text/en.ts';
import { zhCn } from '../text/zh-cn.ts';
import { decisionReason, requestReason } from './reason-text.ts';
import { ruleText } from './rule-text.ts';

test('the reason for a request is in the language of the page, or in the hub’s English if it has no parts', () => {
  const why = 'the approval level "ask" does not cover execute';
  const because = { code: 'level', level: 'ask', kind: 'execute' } as const;
  expect(requestReason({ why, because }, en.inbox)).toBe(
    'the approval level “ask” does not include “Run a command”',
  );
  expect(requestReason({ why, because }, zhCn.inbox)).toBe('审批级别“ask”不包括“运行命令”');
  expect(requestReason({ why }, zhCn.inbox)).toBe(why);
});

test('a rule is shown with its source and its fields', () => {
  const rule = {
    origin: 'project',
    tool: 'execute',
    commandPrefix: 'npm publish',
    decision: 'ask',
  } as const;
  const because = { code: 'rules', rules: [rule] } as const;
  expect(requestReason({ why: '', because }, en.inbox)).toBe(
    'the project’s rule (ask: Run a command · commands that begin with "npm publish") applies',
  );
  expect(requestReason({ why: '', because: { ...because, isUnclear: true } }, zhCn.inbox)).toBe(
    '可能符合项目的规则（询问：运行命令 · 以 "npm publish" 开头的命令），但此调用的效果不明确',
  );
});

test('the subject of a rule is delimited, and a tool is not mistaken for a kind', () => {
  const rule = { tool: 'mcp__tracker__*', agent: 'a" · in "b' };
  expect(ruleText(rule, en.inbox)).toBe('Tool "mcp__tracker__*" · for the agent "a\\" · in \\"b"');
  expect(ruleText({ tool: 'toString' }, en.inbox)).toBe('Tool "toString"');
  expect(ruleText({ tool: '*' }, zhCn.inbox)).toBe('所有操作');
});

test('the reason for a decision is in the language of the page, or in the event log’s English if it has no parts', () => {
  const options = [{ optionId: 'no', name: 'No', kind: 'reject_once' }] as const;
  const text = (by: string, because?: DecisionReason): string =>
    decisionReason(
      { options, answer: { decision: 'no', by, reason: 'as it was', ...(because && { because }) } },
      zhCn.inbox,
    );

  expect(text('flag', { code: 'level', level: 'reads', kind: 'read', isCovered: true })).toBe(
    '审批级别“reads”包括“读取”',
  );
  expect(text('nobody', { code: 'level', level: 'reads' })).toBe('审批级别“reads”不包括类型未知的调用');
  expect(text('rule', { code: 'rules', rules: [{ tool: '*', decision: 'deny', origin: 'user' }] })).toBe(
    '符合你的规则（拒绝：所有操作）',
  );
  expect(text('rule', { code: 'sandboxed', mode: 'workspace' })).toBe('命令在沙盒（workspace）中运行');
  expect(text('person', { code: 'answered', words: '太慢' })).toBe('拒绝 "No"：太慢');
  expect(text('person', { code: 'answered', lasting: { decision: 'deny', scope: 'session' } })).toBe(
    '本会话中拒绝',
  );
  expect(text('person', { code: 'turn-cancelled' })).toBe('本轮已取消');
  expect(text('nobody', { code: 'turn-timeout' })).toBe('本轮已达到时间限制');
  expect(text('person')).toBe('as it was');
});
