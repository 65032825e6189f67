import type { AgentEndEvent } from '../event/agent-event.ts';
import type { LoggedEvent, EventStamp } from '../event/logged-event.ts';
import type { SessionReadyEvent, SettingsEvent } from '../event/session-event.ts';
import { reduceChanges } from './changes.ts';
import { copyState, withState } from './copy-state.ts';
import { emptyTable } from './empty-table.ts';
import { at } from './list.ts';
import { changesOf } from './reduce-facts.ts';
import { reduceUpdate } from './reduce-update.ts';
import { runningTurn } from './session-facts.ts';
import type { SessionState } from './session-state.ts';
import { inSubagent, withPastSubagents } from './subagents.ts';
import { endTerminal, loseTerminals, startTerminal } from './terminal.ts';
import { addItem, baseOf, withoutSpeaker, withProgress } from './transcript/add-item.ts';
import { answerPermission, answerQuestion, askPermission, askQuestion } from './transcript/question.ts';
import { beginReplay, endReplay } from './transcript/replay.ts';
import { answerSteering, loseSteering, sendSteering } from './transcript/steering.ts';
import { withClientCall, withUnknownOutcomes } from './transcript/tool-call.ts';
import { beginTurn, endTurn, withLastTurn } from './transcript/turn.ts';

/** The state after one more event. An event that was already applied changes nothing. */
export function reduce(before: SessionState, event: LoggedEvent): SessionState {
  if (event.seq <= before.seq) return before;
  const changes = changesOf(before, event);
  if (event.type === 'update') {
    const next = reduceUpdate(before, event, event);
    // A state that was made just now has no other user yet: copying it for each of many events would be wasted.
    return Object.assign(next === before ? copyState(before) : next, changes);
  }
  const state = withState(before, changes);
  const isOver = runningTurn(before) !== undefined && runningTurn(state) === undefined;
  const current = state.lastTurn === before.lastTurn ? state : withLastTurn(state);
  return reduceTranscript(isOver ? endTurn(current) : current, event);
}

/** The transcript after an event whose facts are already in the state. */
function reduceTranscript(state: SessionState, event: TranscriptEvent): SessionState {
  const subagent = 'subagent' in event ? event.subagent : undefined;
  if (subagent === undefined) return reduceConversation(state, event);
  return inSubagent(state, subagent, event, (conversation) => reduceConversation(conversation, event));
}

type TranscriptEvent = Exclude<LoggedEvent, { readonly type: 'update' }>;

/** A transcript after an event: that of the session, or of a sub-agent. */
function reduceConversation(state: SessionState, event: TranscriptEvent): SessionState {
  switch (event.type) {
    case 'journal-start':
    case 'agent-start':
    case 'agent-restart':
    case 'agent-given-up':
    case 'aap':
    case 'turn-timeout':
    case 'turn-cancel':
    case 'turn-end':
    case 'network':
      return state;
    case 'agent-end': {
      const past = withPastSubagents(state, event);
      return event.expected ? past : loseAgent(past, event, event);
    }
    case 'session-recovered':
      return addItem(withoutSpeaker(state), { kind: 'recovery', ...baseOf(state, event), by: event.by });
    case 'session': {
      const past = withPastSubagents(state, event);
      if (event.origin === 'loaded') return beginReplay(past);
      // A new agent session may use the ids of the one before for messages and tool calls of its own.
      return event.origin === 'new' ? withProgress(past, { places: emptyTable }) : past;
    }
    case 'session-ready':
      return withPastSubagents(endReplay(withSettings(state, event)), event);
    case 'session-end':
      return withPastSubagents(endReplay(state), event);
    case 'settings':
      return withSettings(state, event);
    case 'turn-start':
      return withChanges(beginTurn(state, event, event), event);
    case 'steering-request':
      return sendSteering(state, event, event);
    case 'steering':
      return answerSteering(state, event, event);
    case 'changes':
    case 'changes-undone':
    case 'changes-redone':
    case 'hunks-kept':
    case 'hunks-reverted':
    case 'changes-committed':
      return withChanges(state, event);
    case 'permission-request':
      return askPermission(state, event, event);
    case 'permission':
      return answerPermission(state, event, event);
    case 'elicitation-request':
      return askQuestion(state, event, event);
    case 'elicitation':
      return answerQuestion(state, event);
    case 'terminal-start':
      return startTerminal(state, event, event);
    case 'terminal-end':
      return endTerminal(state, event, event);
    case 'file-write': {
      const { toolCallId, path, before } = event;
      const isNew = before.kind === 'none';
      const done = withClientCall(state, { toolCallId, status: 'completed' }, event);
      return addItem(done, { kind: 'file-write', ...baseOf(state, event), toolCallId, path, isNew });
    }
    case 'diagnostic': {
      const { level, code, message } = event;
      // Notifications of an agent's own are for clients that know them: they are not shown to users.
      if (level === 'info' && code === 'ignored-notification') return state;
      return addItem(state, { kind: 'diagnostic', ...baseOf(state, event), level, code, message });
    }
    case 'interruption': {
      const isLossy = event.lostBytes > 0 || event.damagedLines > 0;
      // What was asked in the last turn may have been open after its end.
      const { firstItem = state.items.length } = at(state.turns, state.turns.length - 1) ?? {};
      const open = withUnknownOutcomes(loseTerminals(loseSteering(state)), firstItem);
      const lost = withPastSubagents(endReplay(open), event);
      return addItem(lost, { kind: 'interruption', ...baseOf(lost, event), isLossy });
    }
    case 'omission':
      return addItem(state, { kind: 'omission', ...baseOf(state, event), of: event.of });
    case 'unknown':
      return addItem(state, { kind: 'unknown', ...baseOf(state, event), raw: event.raw });
  }
}

function withChanges(state: SessionState, event: LoggedEvent): SessionState {
  return withState(state, { changes: reduceChanges(state.changes, event) });
}

function loseAgent(
  state: SessionState,
  { exitCode, signal }: AgentEndEvent,
  stamp: EventStamp,
): SessionState {
  const item = {
    kind: 'agent-end',
    ...baseOf(state, stamp),
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
  } as const;
  return addItem(withoutSpeaker(loseTerminals(state)), item);
}

function withSettings(
  state: SessionState,
  { modes, configOptions, models }: SessionReadyEvent | SettingsEvent,
): SessionState {
  return withState(state, {
    ...(modes !== undefined && { modes }),
    ...(configOptions !== undefined && { configOptions }),
    ...(models !== undefined && { models }),
  });
}
