import { Invalid, parseSessionUpdate } from '@parley/acp';
import type { HostEvent } from '../event/host-event.ts';
import type { UpdateEvent } from '../event/session-event.ts';

/** Names a delegate in the events of its parent. */
export interface DelegateMark {
  /** What the parent's agent calls its session. */
  readonly sessionId: string;
  /** The key of the delegate's session. */
  readonly subagent: string;
}

/** The announcement of a delegate, or what changed, as an event of its parent. */
export function delegateUpdate({ sessionId, subagent }: DelegateMark, fields: object): HostEvent {
  return updateEvent(sessionId, { sessionUpdate: 'subagent_update', sessionId: subagent, ...fields });
}

/** The end of a delegate's work. A usage report that the protocol does not know is left out. */
export function delegateIdle(mark: DelegateMark, end: object, usage: unknown): HostEvent {
  const update = (reported: object): HostEvent =>
    delegateUpdate(mark, { capabilities: null, state: { state: 'idle', ...end, ...reported } });
  try {
    return update({ usage });
  } catch {
    return update({});
  }
}

/** A prompt that the parent's agent sends to a delegate. */
export function delegatePrompt(
  { sessionId, subagent }: DelegateMark,
  messageId: string,
  text: string,
): HostEvent {
  const update = {
    sessionUpdate: 'session_message',
    messageId,
    senderSessionId: sessionId,
    recipientSessionId: subagent,
    content: [{ type: 'text', text }],
  };
  return { ...updateEvent(sessionId, update), subagent };
}

/** An event of a delegate as its parent has it; undefined for what only the delegate's own event log has. */
export function eventOfDelegate(event: HostEvent, mark: DelegateMark): HostEvent | undefined {
  switch (event.type) {
    case 'update': {
      // What its own sub-agents do is in its own event log: their ids are its agent's.
      const { sessionUpdate } = event.view;
      const isOwn = event.subagent === undefined && !event.replay && !sessionUpdate.startsWith('subagent_');
      return isOwn && !sessionUpdate.startsWith('session_message') ? { ...event, ...mark } : undefined;
    }
    case 'permission-request':
    case 'permission':
    case 'elicitation-request':
    case 'elicitation':
    case 'file-write':
    case 'terminal-start':
    case 'terminal-end':
      return { ...event, ...mark };
    default:
      return undefined;
  }
}

/** The update is read as any agent's, without fields that are undefined. */
function updateEvent(sessionId: string, raw: object): UpdateEvent {
  const text = JSON.stringify(raw);
  const update: unknown = JSON.parse(text);
  const view = parseSessionUpdate(update);
  if (view instanceof Invalid) throw new Error(`an update about a delegate is invalid: ${view.message}`);
  return { type: 'update', sessionId, update, text, view, late: false, replay: false };
}
