import type { EventStamp } from '../../event/logged-event.ts';
import type {
  ElicitationEvent,
  ElicitationRequestEvent,
  PermissionEvent,
  PermissionRequestEvent,
} from '../../event/question-event.ts';
import { isDecisionReason } from '../../permission/is-decision-reason.ts';
import { at } from '../list.ts';
import type { SessionState } from '../session-state.ts';
import { addItem, baseOf, placeOf, replaceItem } from './add-item.ts';
import type { PermissionState } from './item.ts';
import { changeToolCall, withToolCall } from './tool-call.ts';

/** The state after a permission request. */
export function askPermission(
  state: SessionState,
  event: PermissionRequestEvent,
  stamp: EventStamp,
): SessionState {
  const { requestId, toolCall, options, opaque, action } = event;
  const { toolCallId } = toolCall;
  const asking = {
    requestId,
    options,
    ...(opaque === true && { opaque }),
    ...(action?.blockedHost !== undefined && { isConnection: true as const }),
  };
  const next = withToolCall(state, toolCall, stamp);
  const index = placeOf(next, 'tool-call', toolCallId);
  return index === undefined
    ? next
    : changeToolCall(next, index, (item) => ({ ...item, permission: asking }));
}

/** The state when a permission was decided. */
export function answerPermission(
  state: SessionState,
  event: PermissionEvent,
  stamp: EventStamp,
): SessionState {
  const { requestId, toolCallId, decision, by, person, reason, because } = event;
  const answer = {
    decision,
    by,
    ...(person !== undefined && { person }),
    reason,
    // One that a later version has written may be of another sort: then its reason says it.
    ...(isDecisionReason(because) && { because }),
  };
  const index = placeOf(state, 'tool-call', toolCallId);
  if (index === undefined) return state;
  return changeToolCall(state, index, (item) => {
    if (item.permission?.requestId !== requestId) return item;
    const permission = { ...item.permission, answer };
    const answered = { ...item, startedAt: stamp.time, permission };
    if (permission.isConnection !== true) return answered;
    const status = isGranted(permission) ? 'completed' : 'failed';
    return { ...answered, endedAt: stamp.time, call: { ...item.call, status } };
  });
}

function isGranted({ options, answer }: PermissionState): boolean {
  const kind = options.find(({ optionId }) => optionId === answer?.decision)?.kind;
  return kind === 'allow_once' || kind === 'allow_always';
}

/** The state when the agent asks something. */
export function askQuestion(
  state: SessionState,
  event: ElicitationRequestEvent,
  stamp: EventStamp,
): SessionState {
  const { requestId, message, mode, toolCallId } = event;
  const item = {
    kind: 'question',
    ...baseOf(state, stamp),
    requestId,
    message,
    mode,
    ...(toolCallId !== undefined && { toolCallId }),
  } as const;
  return addItem(state, item, requestId);
}

/** The state when a question of the agent's was answered. */
export function answerQuestion(
  state: SessionState,
  { requestId, action, chosen, by, person }: ElicitationEvent,
): SessionState {
  const index = placeOf(state, 'question', requestId);
  const item = index === undefined ? undefined : at(state.items, index);
  if (index === undefined || item?.kind !== 'question') return state;
  return replaceItem(state, index, {
    ...item,
    answer: { action, by, ...(chosen !== undefined && { chosen }), ...(person !== undefined && { person }) },
  });
}
