import type { EventStamp } from '../event/logged-event.ts';
import type { TurnEndEvent, TurnStartEvent } from '../event/turn-event.ts';
import { addTokens, tokensIn } from '../usage/tokens.ts';
import { addItem, baseOf, withoutSpeaker, withProgress } from './add-item.ts';
import { withPiece, type Blocks } from './blocks.ts';
import type { MessageItem } from './item.ts';
import { at, push, replace } from './list.ts';
import { withUnknownOutcomes } from './tool-call.ts';
import type { TurnView, UsageView, View } from './view.ts';

/** The view when a prompt has been sent. */
export function beginTurn(before: View, { turnId, prompt }: TurnStartEvent, stamp: EventStamp): View {
  const view = withoutSpeaker(before);
  const index = view.items.length;
  const turn: TurnView = { turnId, startedAt: stamp.time, state: 'running', firstItem: index };
  const running = withProgress(
    { ...view, turns: push(view.turns, turn) },
    { turn: view.turns.length, echo: { index, length: 0 } },
  );
  const message = prompt.reduce<Blocks>(withPiece, { blocks: [] });
  const item: MessageItem = { kind: 'message', ...baseOf(running, stamp), role: 'user', ...message };
  return addItem(running, item);
}

/** The view with the running turn changed, if it is that one. */
export function changeTurn(view: View, turnId: string, change: (turn: TurnView) => TurnView): View {
  const index = view.progress.turn;
  const turn = index === undefined ? undefined : at(view.turns, index);
  if (index === undefined || turn?.turnId !== turnId) return view;
  return { ...view, turns: replace(view.turns, index, change(turn)) };
}

/** The view when a turn has ended. */
export function endTurn(view: View, event: TurnEndEvent, { time: endedAt }: EventStamp): View {
  const turn = runningTurn(view);
  if (turn?.turnId !== event.turnId) return view;
  const ended = changeTurn(view, event.turnId, (running) => ({
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

/** The view when it was found that a turn was left in the middle. */
export function loseTurn(view: View): View {
  const turn = runningTurn(view);
  if (turn === undefined) return view;
  const lost = changeTurn(view, turn.turnId, (running) => ({ ...running, state: 'unknown' }));
  return withoutTurn(withUnknownOutcomes(lost, turn.firstItem));
}

function runningTurn(view: View): TurnView | undefined {
  const { turn } = view.progress;
  return turn === undefined ? undefined : at(view.turns, turn);
}

function withoutTurn(view: View): View {
  const { turn: _turn, echo: _echo, ...progress } = view.progress;
  return withoutSpeaker({ ...view, progress });
}

/** What was used, after a turn that ended said what it took. */
function withTurnUsage(usage: UsageView, told: unknown): UsageView {
  const tokens = tokensIn(told);
  return tokens === undefined ? usage : { ...usage, tokens: addTokens(usage.tokens ?? {}, tokens) };
}
