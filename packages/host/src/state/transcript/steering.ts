import type { EventStamp } from '../../event/logged-event.ts';
import type { SteeringEvent, SteeringRequestEvent } from '../../event/steering-event.ts';
import { withState } from '../copy-state.ts';
import { at } from '../list.ts';
import type { SessionState } from '../session-state.ts';
import { addItem, baseOf, replaceItem, withoutSpeaker, withProgress } from './add-item.ts';
import { withPiece, type Blocks } from './blocks.ts';
import type { MessageItem } from './item.ts';

/** The state when text is being sent into the turn. */
export function sendSteering(
  before: SessionState,
  { prompt, promptId }: SteeringRequestEvent,
  stamp: EventStamp,
): SessionState {
  const state = withoutSpeaker(before);
  const steering = [...(state.progress.steering ?? []), { promptId, index: state.items.length }];
  return addItem(withProgress(state, { steering }), toMessage(state, prompt, stamp, 'sent'));
}

/** The state after the agent answered whether it accepted the text. */
export function answerSteering(
  state: SessionState,
  { prompt, promptId, outcome }: SteeringEvent,
  stamp: EventStamp,
): SessionState {
  const { steering = [] } = state.progress;
  const sent = steering.find((text) => text.promptId === promptId);
  if (sent !== undefined) {
    const others = steering.filter((text) => text !== sent);
    return withSteering(withProgress(state, { steering: others }), sent.index, outcome);
  }
  // One that was never sent is shown when its own turn begins.
  if (outcome === 'queued') return state;
  return addItem(withoutSpeaker(state), toMessage(state, prompt, stamp, outcome));
}

/** The state when the answers to sent texts cannot come any more. */
export function loseSteering(state: SessionState): SessionState {
  const { steering, ...progress } = state.progress;
  if (steering === undefined) return state;
  return steering.reduce(
    (lost, { index }) => withSteering(lost, index, 'unknown'),
    withState(state, { progress }),
  );
}

function withSteering(state: SessionState, index: number, steering: MessageItem['steering']): SessionState {
  const item = at(state.items, index);
  if (item?.kind !== 'message' || steering === undefined) return state;
  return replaceItem(state, index, { ...item, steering });
}

function toMessage(
  state: SessionState,
  prompt: SteeringEvent['prompt'],
  stamp: EventStamp,
  steering: NonNullable<MessageItem['steering']>,
): MessageItem {
  const message = prompt.reduce<Blocks>(withPiece, { blocks: [] });
  return { kind: 'message', ...baseOf(state, stamp), role: 'user', ...message, steering };
}
