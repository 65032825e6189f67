import { Invalid, parseSessionUpdate, type Implementation, type SessionUpdate } from '@parley/acp';
import type { TurnWait } from '../agent-session/turn/turn-wait.ts';
import type { HostEvent } from '../event/host-event.ts';
import type { FileState } from '../event/resource-event.ts';
import { redactAction } from './redact-action.ts';
import { redactCall, redactOptions } from './redact-question.ts';
import { redactDecisionReason } from './redact-rule.ts';
import { redactSettings } from './redact-settings.ts';
import type { Redaction } from './redaction.ts';

/** The event without the secrets that an agent may have put into it. */
export function redactEvent(event: HostEvent, redaction: Redaction): HostEvent {
  if (!redaction.isNeeded) return event;
  switch (event.type) {
    case 'update': {
      // By far the most frequent: a copy of each piece of text would cost more than all else that is done with it.
      const isPlain = event.text !== undefined && event.meta === undefined;
      if (isPlain && !redaction.isSuspect(event.text)) return event;
      const update = redaction.value(event.update);
      const view = parseSessionUpdate(update);
      // A secret that is also a word of the protocol leaves nothing that could be read.
      const readable: SessionUpdate = view instanceof Invalid ? { sessionUpdate: 'unknown', raw: {} } : view;
      const meta = event.meta === undefined ? {} : { meta: redaction.fields(event.meta) };
      return { ...event, update, text: JSON.stringify(update), view: readable, ...meta };
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
        ...(event.because !== undefined && { because: redactDecisionReason(event.because, redaction) }),
      };
    case 'turn-timeout':
      return { ...event, waitsFor: redactWait(event.waitsFor, redaction) };
    case 'turn-end': {
      if (!('error' in event)) return event;
      const { message, data } = event.error;
      const shown = data === undefined ? {} : { data: redaction.value(data) };
      return { ...event, error: { ...event.error, message: redaction.text(message), ...shown } };
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
    case 'session-ready':
    case 'settings':
      return redactSettings(event, redaction);
    case 'agent-start': {
      const { info } = event;
      return info === undefined ? event : { ...event, info: redactInfo(info, redaction) };
    }
    case 'network':
      return { ...event, hosts: event.hosts.map((used) => ({ ...used, host: redaction.text(used.host) })) };
    case 'elicitation':
      return {
        ...event,
        message: redaction.text(event.message),
        ...(event.chosen !== undefined && { chosen: event.chosen.map((text) => redaction.text(text)) }),
      };
    case 'agent-given-up':
    case 'elicitation-request':
    case 'diagnostic':
      return { ...event, message: redaction.text(event.message) };
    case 'agent-starting':
    case 'agent-end':
    case 'agent-restart':
    case 'session-opening':
    case 'session-not-opened':
    case 'session':
    case 'session-end':
    case 'session-recovered':
    case 'session-lost':
    case 'turn-start':
    case 'steering-request':
    case 'steering':
    case 'turn-cancel':
    case 'changes':
      // Parley's own text, the user's, or names and numbers.
      return event;
  }
}

/** Redacts the name and version that an agent reports. */
export function redactInfo({ name, title, version }: Implementation, redaction: Redaction): Implementation {
  return {
    name: redaction.text(name),
    version: redaction.text(version),
    ...(title !== undefined && { title: redaction.text(title) }),
  };
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
