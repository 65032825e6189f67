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
 * Redacts events. Messages that arrive in chunks are redacted as a whole: the possible start of a secret waits for
 * the next chunk.
 */
export class RedactedSpeech {
  readonly #redaction: () => Redaction;
  /** By the sub-agent that speaks; the session itself is the empty text. */
  readonly #said = new Map<string, Said>();

  /** @param redaction Asked for each message. */
  constructor(redaction: () => Redaction) {
    this.#redaction = redaction;
  }

  /** What can be emitted now, in order. */
  take(event: HostEvent): readonly HostEvent[] {
    const speaker = speakerOf(event);
    if (speaker === undefined || !isSpeech(event)) {
      return isAside(event) ? [event] : [...this.#flush(speaker), event];
    }
    const said = this.#said.get(speaker);
    const before = said !== undefined && goesOn(said.last, event) ? [] : this.#flush(speaker);
    const redaction = this.#redaction();
    const goingOn = this.#said.get(speaker);
    if (goingOn === undefined && !redaction.isNeeded) return [...before, event];
    const text = goingOn?.text ?? new RedactedText(redaction);
    this.#said.set(speaker, { last: event, text });
    const output = text.push(event.view.content.text);
    return output === '' ? before : [...before, withText(event, output)];
  }

  /** What waits of a speaker, or of all. */
  #flush(speaker: string | undefined): readonly HostEvent[] {
    const speakers = speaker === undefined ? [...this.#said.keys()] : [speaker];
    return speakers.flatMap((each) => {
      const said = this.#said.get(each);
      this.#said.delete(each);
      const rest = said?.text.flush() ?? '';
      return said === undefined || rest === '' ? [] : [withText(said.last, rest)];
    });
  }
}

interface Said {
  readonly last: Speech;
  readonly text: RedactedText;
}

/** The speaker whose text an event ends, unless it continues that text; undefined: all speakers. */
function speakerOf(event: HostEvent): string | undefined {
  switch (event.type) {
    case 'update':
      // What its parent says of a sub-agent comes after what the sub-agent said.
      return event.view.sessionUpdate === 'subagent_update' ? event.view.sessionId : (event.subagent ?? '');
    case 'permission-request':
    case 'permission':
    case 'elicitation-request':
    case 'elicitation':
    case 'file-write':
    case 'terminal-start':
    case 'terminal-end':
      return event.subagent ?? '';
    default:
      return undefined;
  }
}

function isSpeech(event: HostEvent): event is Speech {
  if (event.type !== 'update') return false;
  const { view } = event;
  const isChunk =
    view.sessionUpdate === 'agent_message_chunk' || view.sessionUpdate === 'agent_thought_chunk';
  return isChunk && view.content.type === 'text';
}

/** Whether an event may come between two chunks of a message. */
function isAside(event: HostEvent): boolean {
  if (event.type === 'update') return asides.has(event.view.sessionUpdate);
  return event.type === 'stderr' || event.type === 'diagnostic';
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
