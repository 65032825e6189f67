import type { HostEvent } from '../event/host-event.ts';
import { RedactedText, type Redaction } from './redaction.ts';

type UpdateEvent = Extract<HostEvent, { readonly type: 'update' }>;
type Chunk = Extract<
  UpdateEvent['view'],
  { readonly sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk' }
>;

/** A piece of text that an agent says or thinks. */
interface Speech extends UpdateEvent {
  readonly view: Chunk & { readonly content: Extract<Chunk['content'], { readonly type: 'text' }> };
}

/**
 * Events that are redacted one by one, with what is said in pieces redacted as a whole: what may be the beginning of a secret
 * waits for the next piece.
 */
export class RedactedSpeech {
  readonly #redaction: () => Redaction;
  #said: { readonly last: Speech; readonly text: RedactedText } | undefined;

  /** @param redaction Asked for each message. */
  constructor(redaction: () => Redaction) {
    this.#redaction = redaction;
  }

  /** What can be emitted now, in order. */
  take(event: HostEvent): readonly HostEvent[] {
    if (!isSpeech(event)) return isAside(event) ? [event] : [...this.#flush(), event];
    const before = this.#said !== undefined && goesOn(this.#said.last, event) ? [] : this.#flush();
    const redaction = this.#redaction();
    if (this.#said === undefined && !redaction.isNeeded) return [...before, event];
    const text = this.#said?.text ?? new RedactedText(redaction);
    this.#said = { last: event, text };
    const output = text.push(event.view.content.text);
    return output === '' ? before : [...before, withText(event, output)];
  }

  #flush(): readonly HostEvent[] {
    const said = this.#said;
    this.#said = undefined;
    const rest = said?.text.flush() ?? '';
    return said === undefined || rest === '' ? [] : [withText(said.last, rest)];
  }
}

function isSpeech(event: HostEvent): event is Speech {
  if (event.type !== 'update') return false;
  const { view } = event;
  const isChunk =
    view.sessionUpdate === 'agent_message_chunk' || view.sessionUpdate === 'agent_thought_chunk';
  return isChunk && view.content.type === 'text';
}

/** What comes in between, and is no part of what is said. */
function isAside(event: HostEvent): boolean {
  if (event.type === 'update') return asides.has(event.view.sessionUpdate);
  return event.type === 'stderr' || event.type === 'diagnostic' || event.type === 'session-state';
}

const asides: ReadonlySet<UpdateEvent['view']['sessionUpdate']> = new Set([
  'plan',
  'available_commands_update',
  'usage_update',
  'notice',
  'session_info_update',
  'current_mode_update',
  'config_option_update',
]);

function goesOn(last: Speech, next: Speech): boolean {
  return (
    last.sessionId === next.sessionId &&
    last.view.sessionUpdate === next.view.sessionUpdate &&
    last.view.messageId === next.view.messageId &&
    last.late === next.late &&
    last.replay === next.replay
  );
}

function withText(event: Speech, text: string): HostEvent {
  const { content } = event.view;
  if (content.text === text) return event;
  const view = { ...event.view, content: { ...content, text } };
  // Fields that the schema does not know are in the view, too.
  return { ...event, update: view, view, text: JSON.stringify(view) };
}
