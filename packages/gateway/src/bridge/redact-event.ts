import { Invalid, parseSessionUpdate, type SessionUpdate } from '@parley/acp';
import type { FileState, HostEvent, TurnWait } from '@parley/host';
import { redactAction } from './redact-action.ts';
import { redactCall, redactOptions } from './redact-question.ts';
import { redactAnsweredBecause } from './redact-rule.ts';
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
      return {
        ...event,
        toolCall: redactCall(event.toolCall, redaction),
        ...(event.action !== undefined && { action: redactAction(event.action, redaction) }),
        options: redactOptions(event.options, redaction),
      };
    case 'permission':
      return {
        ...event,
        options: redactOptions(event.options, redaction),
        reason: redaction.text(event.reason),
        ...(event.because !== undefined && { because: redactAnsweredBecause(event.because, redaction) }),
      };
    case 'turn-timeout':
      return { ...event, waitsFor: redactWait(event.waitsFor, redaction) };
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
    case 'agent-starting':
    case 'agent-start':
    case 'agent-end':
    case 'agent-restart':
    case 'session-opening':
    case 'session-not-opened':
    case 'session':
    case 'session-ready':
    case 'session-end':
    case 'session-recovered':
    case 'session-state':
    case 'settings':
    case 'turn-start':
    case 'turn-cancel':
      // Ours, the person's, or names and numbers.
      return event;
  }
}

function redactWait(waitsFor: TurnWait, redaction: Redaction): TurnWait {
  const toolCalls = waitsFor.toolCalls.map(({ title, ...call }) => ({
    ...call,
    ...(title !== undefined && { title: redaction.text(title) }),
  }));
  return { ...waitsFor, toolCalls };
}

function redactFile(state: FileState, redaction: Redaction): FileState {
  return state.kind === 'text' ? { kind: 'text', text: redaction.text(state.text) } : state;
}
