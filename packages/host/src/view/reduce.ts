import type { AgentEndEvent, AgentStartEvent } from '../event/agent-event.ts';
import type { LoggedEvent, EventStamp } from '../event/logged-event.ts';
import type {
  SessionEvent,
  SessionReadyEvent,
  SessionRecoveredEvent,
  SettingsEvent,
} from '../event/session-event.ts';
import { addItem, baseOf, withoutSpeaker, withProgress } from './add-item.ts';
import { at } from './list.ts';
import { answerPermission, answerQuestion, askPermission, askQuestion } from './question.ts';
import { reduceUpdate } from './reduce-update.ts';
import { beginReplay, endReplay } from './replay.ts';
import { endTerminal, loseTerminals, startTerminal } from './terminal.ts';
import { beginTurn, changeTurn, endTurn, loseTurn } from './turn.ts';
import type { Progress, View, ViewState } from './view.ts';

/** The view after one more event. An event that was seen already changes nothing. */
export function reduce(view: View, event: LoggedEvent): View {
  if (event.seq <= view.seq) return view;
  const next = apply(view, event);
  // One that was made just now is nobody else's yet: a copy of it, for each of many events, would be for nothing.
  const mine = next === view ? { ...view } : next;
  return Object.assign(mine, { seq: event.seq, time: event.time, state: stateOf(next) });
}

function apply(view: View, event: LoggedEvent): View {
  switch (event.type) {
    case 'update':
      return reduceUpdate(view, event, event);
    case 'journal-start':
      return { ...view, key: event.key, cwd: event.cwd, agent: { ...view.agent, name: event.agent } };
    case 'agent-start':
      return introduce(view, event);
    case 'agent-end':
      return loseAgent(view, event, event);
    case 'agent-restart':
    case 'aap':
      return view;
    case 'agent-given-up':
      return inPhase(view, 'failed');
    case 'session-recovered':
      return recover(view, event, event);
    case 'session':
      return beginSession(view, event);
    case 'session-ready':
      return inPhase(endReplay(withSettings(view, event)), 'ready');
    case 'session-end':
      return inPhase(endReplay(view), event.reason === 'not-opened' ? 'failed' : 'closed');
    case 'settings':
      return withSettings(view, event);
    case 'turn-start':
      return beginTurn(view, event, event);
    case 'turn-timeout':
      return changeTurn(view, event.turnId, (turn) => ({ ...turn, reached: event.limit }));
    case 'turn-cancel':
      return changeTurn(view, event.turnId, (turn) => ({ ...turn, cancel: event.step }));
    case 'turn-end':
      return endTurn(view, event, event);
    case 'permission-request':
      return askPermission(view, event, event);
    case 'permission':
      return answerPermission(view, event, event);
    case 'elicitation-request':
      return askQuestion(view, event, event);
    case 'elicitation':
      return answerQuestion(view, event);
    case 'terminal-start':
      return startTerminal(view, event);
    case 'terminal-end':
      return endTerminal(view, event);
    case 'file-write': {
      const { toolCallId, path, before } = event;
      const isNew = before.kind === 'none';
      return addItem(view, { kind: 'file-write', ...baseOf(view, event), toolCallId, path, isNew });
    }
    case 'diagnostic': {
      const { level, code, message } = event;
      // Agents send notifications of their own to whoever may know them: a person has nothing from that.
      if (level === 'info' && code === 'ignored-notification') return view;
      return addItem(view, { kind: 'diagnostic', ...baseOf(view, event), level, code, message });
    }
    case 'interruption': {
      const isLossy = event.lostBytes > 0 || event.damagedLines > 0;
      const lost = { ...endReplay(loseTerminals(loseTurn(view))), questions: [] };
      return inPhase(addItem(lost, { kind: 'interruption', ...baseOf(lost, event), isLossy }), 'closed');
    }
    case 'omission':
      return addItem(view, { kind: 'omission', ...baseOf(view, event), of: event.of });
    case 'unknown':
      return addItem(view, { kind: 'unknown', ...baseOf(view, event), raw: event.raw });
  }
}

function introduce(view: View, { agent: name, info, protocolVersion, capabilities }: AgentStartEvent): View {
  return { ...view, agent: { name, protocolVersion, capabilities, ...(info !== undefined && { info }) } };
}

function loseAgent(view: View, { expected, exitCode, signal }: AgentEndEvent, stamp: EventStamp): View {
  if (expected) return inPhase(view, 'closed');
  const item = {
    kind: 'agent-end',
    ...baseOf(view, stamp),
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
  } as const;
  return inPhase(addItem(withoutSpeaker(loseTerminals(view)), item), 'failed');
}

function recover(view: View, { by, newSessionId }: SessionRecoveredEvent, stamp: EventStamp): View {
  const told = addItem(withoutSpeaker(view), { kind: 'recovery', ...baseOf(view, stamp), by });
  // Where each session has an event log of its own, what follows is in that of the new one.
  return by === 'new' && newSessionId !== view.sessionId ? inPhase(told, 'closed') : told;
}

function beginSession(view: View, { sessionId, cwd, additionalDirectories, origin }: SessionEvent): View {
  const begun = {
    ...inPhase(view, 'starting'),
    sessionId,
    cwd,
    ...(additionalDirectories !== undefined && { additionalDirectories }),
  };
  return origin === 'loaded' ? beginReplay(begun) : begun;
}

function withSettings(view: View, { modes, configOptions, models }: SessionReadyEvent | SettingsEvent): View {
  return {
    ...view,
    ...(modes !== undefined && { modes }),
    ...(configOptions !== undefined && { configOptions }),
    ...(models !== undefined && { models }),
  };
}

function inPhase(view: View, phase: Progress['phase']): View {
  // What was closed because the agent failed stays failed.
  if (phase === 'closed' && view.progress.phase === 'failed') return view;
  return withProgress(view, { phase });
}

function stateOf({ progress, turns, questions }: View): ViewState {
  const { phase, turn } = progress;
  if (phase !== 'ready' || turn === undefined) return phase;
  if (at(turns, turn)?.cancel !== undefined) return 'stopping';
  return questions.length > 0 ? 'waiting' : 'running';
}
