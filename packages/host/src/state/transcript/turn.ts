import { addTokens, tokensIn } from '../../agent-session/turn/tokens.ts';
import type { EventStamp } from '../../event/logged-event.ts';
import type { TurnStartEvent } from '../../event/turn-event.ts';
import { withState } from '../copy-state.ts';
import { at, push, replace } from '../list.ts';
import type { SessionUsage, SessionState } from '../session-state.ts';
import { addItem, baseOf, withoutSpeaker, withProgress } from './add-item.ts';
import { withPiece, type Blocks } from './blocks.ts';
import type { MessageItem } from './item.ts';
import { withUnknownOutcomes } from './tool-call.ts';

/** The state when a prompt has been sent. */
export function beginTurn(before: SessionState, { prompt }: TurnStartEvent, stamp: EventStamp): SessionState {
  const state = withoutSpeaker(before);
  const echo = { index: state.items.length, length: 0 };
  const message = prompt.reduce<Blocks>(withPiece, { blocks: [] });
  const item: MessageItem = { kind: 'message', ...baseOf(state, stamp), role: 'user', ...message };
  return addItem(withProgress(state, { echo }), item);
}

/** The turns of the transcript, with the last one updated from the facts. */
export function withLastTurn(state: SessionState): SessionState {
  const { lastTurn, turns, items } = state;
  if (lastTurn === undefined) return state;
  const index = lastTurn.number - 1;
  const firstItem = at(turns, index)?.firstItem ?? items.length;
  const turn = { ...lastTurn, firstItem };
  return withState(state, { turns: index < turns.length ? replace(turns, index, turn) : push(turns, turn) });
}

/** The state when a turn has ended, or was found to be left in the middle. */
export function endTurn(state: SessionState): SessionState {
  const { firstItem = 0, usage: reported } = at(state.turns, state.turns.length - 1) ?? {};
  const { echo: _echo, ...progress } = state.progress;
  const open = withoutSpeaker(withState(state, { progress }));
  const ended = withUnknownOutcomes(open, firstItem, state.questions);
  return withState(ended, { usage: withTurnUsage(ended.usage, reported) });
}

/** The total usage after a turn reported its usage. */
function withTurnUsage(usage: SessionUsage, reported: unknown): SessionUsage {
  const tokens = tokensIn(reported);
  return tokens === undefined ? usage : { ...usage, tokens: addTokens(usage.tokens ?? {}, tokens) };
}
