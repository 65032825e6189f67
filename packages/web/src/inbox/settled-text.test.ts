import { expect, test } from 'vitest';
import { zhCn } from '../text/zh-cn.ts';
import { settledText } from './settled-text.ts';

test("an answer is shown in the language of the page, and an option by the agent's name", () => {
  const settled = { key: 'a', requestId: '1', person: 'ada' };
  const remember = { kind: 'remember', decision: 'allow', scope: 'session' } as const;
  expect(settledText({ ...settled, outcome: 'allow for this session', answer: remember }, zhCn.inbox)).toBe(
    '本会话中允许',
  );
  const form = { kind: 'form', action: 'decline' } as const;
  expect(settledText({ ...settled, outcome: 'decline', answer: form }, zhCn.inbox)).toBe('已拒绝回答');
  expect(settledText({ ...settled, outcome: 'Yes, go on' }, zhCn.inbox)).toBe('Yes, go on');
  expect(settledText({ key: 'a', requestId: '1' }, zhCn.inbox)).toBeUndefined();
});
