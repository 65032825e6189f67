import type { EventStamp } from '../event/logged-event.ts';
import type {
  ElicitationEvent,
  ElicitationRequestEvent,
  PermissionEvent,
  PermissionRequestEvent,
} from '../event/question-event.ts';
import { isDecisionReason } from '../permission/is-decision-reason.ts';
import { addItem, baseOf, placeOf, replaceItem } from './add-item.ts';
import { at } from './list.ts';
import { changeToolCall, withToolCall } from './tool-call.ts';
import type { View } from './view.ts';

/** The view when a permission is wanted. */
export function askPermission(view: View, event: PermissionRequestEvent, stamp: EventStamp): View {
  const { requestId, toolCall, options, opaque } = event;
  const { toolCallId } = toolCall;
  const asking = { requestId, options, ...(opaque === true && { opaque }) };
  const told = withToolCall(view, toolCall, stamp);
  const index = placeOf(told, 'tool-call', toolCallId);
  const asked =
    index === undefined ? told : changeToolCall(told, index, (item) => ({ ...item, permission: asking }));
  const question = { kind: 'permission', time: stamp.time, toolCallId, ...asking } as const;
  return { ...asked, questions: [...asked.questions, question] };
}

/** The view when a permission was decided. */
export function answerPermission(view: View, event: PermissionEvent, stamp: EventStamp): View {
  const { requestId, toolCallId, decision, by, person, reason, because } = event;
  const answer = {
    decision,
    by,
    ...(person !== undefined && { person }),
    reason,
    // One that a later version has written may be of another sort: then its reason says it.
    ...(isDecisionReason(because) && { because }),
  };
  const index = placeOf(view, 'tool-call', toolCallId);
  const answered =
    index === undefined
      ? view
      : changeToolCall(view, index, (item) =>
          item.permission?.requestId === requestId
            ? { ...item, startedAt: stamp.time, permission: { ...item.permission, answer } }
            : item,
        );
  return withoutQuestion(answered, requestId);
}

/** The view when the agent asks something. */
export function askQuestion(view: View, event: ElicitationRequestEvent, stamp: EventStamp): View {
  const { requestId, message, mode, toolCallId } = event;
  const item = {
    kind: 'question',
    ...baseOf(view, stamp),
    requestId,
    message,
    mode,
    ...(toolCallId !== undefined && { toolCallId }),
  } as const;
  const question = { kind: 'elicitation', time: stamp.time, requestId, message, mode } as const;
  return { ...addItem(view, item, requestId), questions: [...view.questions, question] };
}

/** The view when a question of the agent's was answered. */
export function answerQuestion(view: View, { requestId, action, by, person }: ElicitationEvent): View {
  const index = placeOf(view, 'question', requestId);
  const item = index === undefined ? undefined : at(view.items, index);
  const answered =
    index !== undefined && item?.kind === 'question'
      ? replaceItem(view, index, { ...item, answer: { action, by, ...(person !== undefined && { person }) } })
      : view;
  return withoutQuestion(answered, requestId);
}

function withoutQuestion(view: View, requestId: string): View {
  return { ...view, questions: view.questions.filter((question) => question.requestId !== requestId) };
}
