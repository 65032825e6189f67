import type { AgentEndEvent, AgentStartEvent } from '../event/agent-event.ts';
import type { LoggedEvent, EventStamp } from '../event/logged-event.ts';
import type {
  SessionEvent,
  SessionReadyEvent,
  SessionRecoveredEvent,
  SettingsEvent,
} from '../event/session-event.ts';
import { addItem, baseOf, withoutSpeaker, withProgress } from './add-item.ts';
import { reduceChanges } from './changes.ts';
import { at } from './list.ts';
import { answerPermission, answerQuestion, askPermission, askQuestion } from './question.ts';
import { reduceUpdate } from './reduce-update.ts';
import { beginReplay, endReplay } from './replay.ts';
import type { Progress, SessionState, SessionPhase } from './session-state.ts';
import { endTerminal, loseTerminals, startTerminal } from './terminal.ts';
import { beginTurn, changeTurn, endTurn, loseTurn } from './turn.ts';

/** The state after one more event. An event that was seen already changes nothing. */
export function reduce(state: SessionState, event: LoggedEvent): SessionState {
  if (event.seq <= state.seq) return state;
  const next = apply(state, event);
  // A state that was made just now has no other user yet: copying it for each of many events would be wasted.
  const mine = next === state ? { ...state } : next;
  return Object.assign(mine, { seq: event.seq, time: event.time, phase: phaseOf(next) });
}

function apply(state: SessionState, event: LoggedEvent): SessionState {
  switch (event.type) {
    case 'update':
      return reduceUpdate(state, event, event);
    case 'journal-start':
      return { ...state, key: event.key, cwd: event.cwd, agent: { ...state.agent, name: event.agent } };
    case 'agent-start':
      return introduce(state, event);
    case 'agent-end':
      return loseAgent(state, event, event);
    case 'agent-restart':
    case 'aap':
      return state;
    case 'agent-given-up':
      return inPhase(state, 'failed');
    case 'session-recovered':
      return recover(state, event, event);
    case 'session':
      return beginSession(state, event);
    case 'session-ready':
      return inPhase(endReplay(withSettings(state, event)), 'ready');
    case 'session-end':
      return inPhase(endReplay(state), event.reason === 'not-opened' ? 'failed' : 'closed');
    case 'settings':
      return withSettings(state, event);
    case 'turn-start':
      return withChanges(beginTurn(state, event, event), event);
    case 'changes':
    case 'changes-undone':
    case 'changes-redone':
    case 'hunks-kept':
    case 'hunks-reverted':
    case 'changes-committed':
      return withChanges(state, event);
    case 'turn-timeout':
      return changeTurn(state, event.turnId, (turn) => ({ ...turn, reached: event.limit }));
    case 'turn-cancel':
      return changeTurn(state, event.turnId, (turn) => ({ ...turn, cancel: event.step }));
    case 'turn-end':
      return endTurn(state, event, event);
    case 'permission-request':
      return askPermission(state, event, event);
    case 'permission':
      return answerPermission(state, event, event);
    case 'elicitation-request':
      return askQuestion(state, event, event);
    case 'elicitation':
      return answerQuestion(state, event);
    case 'terminal-start':
      return startTerminal(state, event);
    case 'terminal-end':
      return endTerminal(state, event);
    case 'file-write': {
      const { toolCallId, path, before } = event;
      const isNew = before.kind === 'none';
      return addItem(state, { kind: 'file-write', ...baseOf(state, event), toolCallId, path, isNew });
    }
    case 'diagnostic': {
      const { level, code, message } = event;
      // Notifications of an agent's own are for clients that know them: they are not shown to users.
      if (level === 'info' && code === 'ignored-notification') return state;
      return addItem(state, { kind: 'diagnostic', ...baseOf(state, event), level, code, message });
    }
    case 'interruption': {
      const isLossy = event.lostBytes > 0 || event.damagedLines > 0;
      const lost = { ...endReplay(loseTerminals(loseTurn(state))), questions: [] };
      return inPhase(addItem(lost, { kind: 'interruption', ...baseOf(lost, event), isLossy }), 'closed');
    }
    case 'omission':
      return addItem(state, { kind: 'omission', ...baseOf(state, event), of: event.of });
    case 'unknown':
      return addItem(state, { kind: 'unknown', ...baseOf(state, event), raw: event.raw });
  }
}

function withChanges(state: SessionState, event: LoggedEvent): SessionState {
  return { ...state, changes: reduceChanges(state.changes, event) };
}

function introduce(
  state: SessionState,
  { agent: name, info, protocolVersion, capabilities }: AgentStartEvent,
): SessionState {
  return { ...state, agent: { name, protocolVersion, capabilities, ...(info !== undefined && { info }) } };
}

function loseAgent(
  state: SessionState,
  { expected, exitCode, signal }: AgentEndEvent,
  stamp: EventStamp,
): SessionState {
  if (expected) return inPhase(state, 'closed');
  const item = {
    kind: 'agent-end',
    ...baseOf(state, stamp),
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
  } as const;
  return inPhase(addItem(withoutSpeaker(loseTerminals(state)), item), 'failed');
}

function recover(
  state: SessionState,
  { by, newSessionId }: SessionRecoveredEvent,
  stamp: EventStamp,
): SessionState {
  const next = addItem(withoutSpeaker(state), { kind: 'recovery', ...baseOf(state, stamp), by });
  // Where each session has an event log of its own, what follows is in that of the new one.
  return by === 'new' && newSessionId !== state.sessionId ? inPhase(next, 'closed') : next;
}

function beginSession(
  state: SessionState,
  { sessionId, cwd, additionalDirectories, origin }: SessionEvent,
): SessionState {
  const begun = {
    ...inPhase(state, 'starting'),
    sessionId,
    cwd,
    ...(additionalDirectories !== undefined && { additionalDirectories }),
  };
  return origin === 'loaded' ? beginReplay(begun) : begun;
}

function withSettings(
  state: SessionState,
  { modes, configOptions, models }: SessionReadyEvent | SettingsEvent,
): SessionState {
  return {
    ...state,
    ...(modes !== undefined && { modes }),
    ...(configOptions !== undefined && { configOptions }),
    ...(models !== undefined && { models }),
  };
}

function inPhase(state: SessionState, phase: Progress['phase']): SessionState {
  // What was closed because the agent failed stays failed.
  if (phase === 'closed' && state.progress.phase === 'failed') return state;
  return withProgress(state, { phase });
}

function phaseOf({ progress, turns, questions }: SessionState): SessionPhase {
  const { phase, turn } = progress;
  if (phase !== 'ready' || turn === undefined) return phase;
  if (at(turns, turn)?.cancel !== undefined) return 'stopping';
  return questions.length > 0 ? 'waiting' : 'running';
}
