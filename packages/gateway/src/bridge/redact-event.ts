import { Invalid, parseSessionUpdate, type SessionUpdate, type ToolCallUpdate } from '@parley/acp';
import type { FileState, HostEvent } from '@parley/host';
import type { Redaction } from './redaction.ts';

/** The event without the secrets that an agent may have put into it. */
export function redactEvent(event: HostEvent, redaction: Redaction): HostEvent {
  if (!redaction.isNeeded) return event;
  switch (event.type) {
    case 'update': {
      const update = redaction.value(event.update);
      const view = parseSessionUpdate(update);
      // A secret that is also a word of the protocol leaves nothing that could be read.
      const readable: SessionUpdate = view instanceof Invalid ? { sessionUpdate: 'unknown', raw: {} } : view;
      return { ...event, update, text: JSON.stringify(update), view: readable };
    }
    case 'permission-request':
      return { ...event, toolCall: redactCall(event.toolCall, redaction) };
    case 'turn-end': {
      if (!('error' in event)) return event;
      const { code, message } = event.error;
      return { ...event, error: { code, message: redaction.text(message) } };
    }
    case 'stderr':
      return { ...event, text: redaction.text(event.text) };
    case 'terminal-start':
      return { ...event, command: redaction.text(event.command) };
    case 'terminal-end':
      return { ...event, output: redaction.text(event.output) };
    case 'file-write':
      return {
        ...event,
        before: redactFile(event.before, redaction),
        after: redactFile(event.after, redaction),
      };
    case 'agent-given-up':
    case 'elicitation-request':
    case 'elicitation':
    case 'diagnostic':
      return { ...event, message: redaction.text(event.message) };
    default:
      // What is left is ours, or names and numbers.
      return event;
  }
}

function redactFile(state: FileState, redaction: Redaction): FileState {
  return state.kind === 'text' ? { kind: 'text', text: redaction.text(state.text) } : state;
}

/** The call without secrets. */
export function redactCall(call: ToolCallUpdate, redaction: Redaction): ToolCallUpdate {
  if (!redaction.isNeeded) return call;
  const value = redaction.value({ ...call, sessionUpdate: 'tool_call_update' });
  const view = parseSessionUpdate(value);
  return !(view instanceof Invalid) && view.sessionUpdate === 'tool_call_update'
    ? view
    : { toolCallId: call.toolCallId };
}
