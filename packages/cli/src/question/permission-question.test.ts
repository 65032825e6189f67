import type { PermissionOption, RequestPermissionRequest } from '@parley/acp';
import { expect, test } from 'vitest';
import { createStyle } from '../output/style.ts';
import { parsePermissionReply, permissionPrompt, showPermission } from './permission-question.ts';

const delegate: PermissionOption = {
  optionId: 'later',
  name: 'Decide later',
  kind: 'unknown',
  raw: { optionId: 'later', name: 'Decide later', kind: 'delegate' },
};
const request: RequestPermissionRequest = {
  sessionId: 's',
  toolCall: { toolCallId: 'c', title: 'Run' },
  options: [{ optionId: 'no', name: 'No', kind: 'reject_once' }, delegate],
};

const question = {
  request,
  agentName: 'agent',
  style: createStyle(false, {}),
  waiting: 0,
  isCut: false,
};

test('an option of a kind that nobody knows is shown with what it came as, and chosen by its number only', () => {
  expect(showPermission(question)).toContain('  2  Decide later (delegate)\n');
  expect(parsePermissionReply('2', question)).toEqual({ kind: 'option', optionId: 'later' });
  expect(parsePermissionReply('y', question)).toEqual({ kind: 'unclear' });
  const onlyDelegate = { ...question, request: { ...request, options: [delegate] } };
  expect(parsePermissionReply('', onlyDelegate)).toEqual({ kind: 'dismissed' });
  expect(permissionPrompt(question)).toBe('Your answer [1-2; Enter: no]: ');
});
