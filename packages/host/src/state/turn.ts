import { addTokens, tokensIn } from '../agent-session/turn/tokens.ts';
import type { EventStamp } from '../event/logged-event.ts';
import type { TurnEndEvent, TurnStartEvent } from '../event/turn-event.ts';
import { addItem, baseOf, withoutSpeaker, withProgress } from './add-item.ts';
import { withPiece, type Blocks } from './blocks.ts';
import type { MessageItem } from './item.ts';
import { at, push, replace } from './list.ts';
import type { TurnState, SessionUsage, SessionState } from './session-state.ts';
import { withUnknownOutcomes } from './tool-call.ts';

/** The state when a prompt has been sent. */
export function beginTurn(
  before: SessionState,
  { turnId, prompt }: TurnStartEvent,
  stamp: EventStamp,
): SessionState {
  const state = withoutSpeaker(before);
  const index = state.items.length;
  const turn: TurnState = { turnId, startedAt: stamp.time, state: 'running', firstItem: index };
  const running = withProgress(
    { ...state, turns: push(state.turns, turn) },
    { turn: state.turns.length, echo: { index, length: 0 } },
  );
  const message = prompt.reduce<Blocks>(withPiece, { blocks: [] });
  const item: MessageItem = { kind: 'message', ...baseOf(running, stamp), role: 'user', ...message };
  return addItem(running, item);
}

/** The state with the running turn changed, if it is that one. */
export function changeTurn(
  state: SessionState,
  turnId: string,
  change: (turn: TurnState) => TurnState,
): SessionState {
  const index = state.progress.turn;
  const turn = index === undefined ? undefined : at(state.turns, index);
  if (index === undefined || turn?.turnId !== turnId) return state;
  return { ...state, turns: replace(state.turns, index, change(turn)) };
}

/** The state when a turn has ended. */
export function endTurn(
  state: SessionState,
  event: TurnEndEvent,
  { time: endedAt }: EventStamp,
): SessionState {
  const turn = runningTurn(state);
  if (turn?.turnId !== event.turnId) return state;
  const ended = changeTurn(state, event.turnId, (running) => ({
    ...running,
    state: 'ended',
    endedAt,
    ...('stopReason' in event
      ? { stopReason: event.rawStopReason ?? event.stopReason }
      : { error: event.error }),
    ...('usage' in event && { usage: event.usage }),
  }));
  const usage = 'usage' in event ? withTurnUsage(ended.usage, event.usage) : ended.usage;
  return { ...withoutTurn(withUnknownOutcomes(ended, turn.firstItem)), usage };
}

/** The state when it was found that a turn was left in the middle. */
export function loseTurn(state: SessionState): SessionState {
  const turn = runningTurn(state);
  if (turn === undefined) return state;
  const lost = changeTurn(state, turn.turnId, (running) => ({ ...running, state: 'unknown' }));
  return withoutTurn(withUnknownOutcomes(lost, turn.firstItem));
}

function runningTurn(state: SessionState): TurnState | undefined {
  const { turn } = state.progress;
  return turn === undefined ? undefined : at(state.turns, turn);
}

function withoutTurn(state: SessionState): SessionState {
  const { turn: _turn, echo: _echo, ...progress } = state.progress;
  return withoutSpeaker({ ...state, progress });
}

/** What was used, after a turn that ended said what it took. */
function withTurnUsage(usage: SessionUsage, reported: unknown): SessionUsage {
  const tokens = tokensIn(reported);
  return tokens === undefined ? usage : { ...usage, tokens: addTokens(usage.tokens ?? {}, tokens) };
}
