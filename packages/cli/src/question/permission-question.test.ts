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

test('an option of a kind that nobody knows is shown with what it came as, and chosen by its number only', () => {
  expect(showPermission(request, 'agent', createStyle(false, {}))).toContain(
    '  2  Decide later (delegate)\n',
  );
  expect(parsePermissionReply('2', request.options)).toEqual({ kind: 'option', optionId: 'later' });
  expect(parsePermissionReply('y', request.options)).toEqual({ kind: 'unclear' });
  expect(parsePermissionReply('', [delegate])).toEqual({ kind: 'dismissed' });
  expect(permissionPrompt(request.options)).toBe('Your answer [1-2; Enter: no]: ');
});
