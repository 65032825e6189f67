import { Invalid, parseSessionNotification } from '@parley/acp';
import { reportValidation } from './validation.ts';

// What the client side does with each update.
reportValidation((params) => {
  const notification = parseSessionNotification(params);
  if (notification instanceof Invalid) return undefined;
  const { update } = notification;
  return update.sessionUpdate === 'tool_call_update' ? update.toolCallId : undefined;
});
