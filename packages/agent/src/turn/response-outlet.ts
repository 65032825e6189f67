import type { SessionUpdate } from '@parley/acp';
import type { RepeatablePart } from '../model/model.ts';
import type { Turn } from './turn.ts';

/** A part that is an update by itself. */
export type ShownPart = Exclude<RepeatablePart, { readonly type: 'tool-call' }>;

/** How many updates go out before the connection gets its chance to read, a cancel for example. */
const updatesPerBreath = 1000;

/** Shows the parts of one response as updates, and keeps its text for the conversation. */
export class ResponseOutlet {
  readonly #turn: Turn;
  #text = '';
  #sent = 0;
  #message: { readonly type: ShownPart['type']; readonly id: string } | undefined;

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  /** What was said, up to the limit of one message. */
  get text(): string {
    return this.#text;
  }

  /** Sends the part as so many updates, each by itself, as fast as the client takes them. */
  async show(part: ShownPart, times: number): Promise<void> {
    const { client, clock } = this.#turn;
    if (part.type === 'text') this.#keep(part.text, times);
    const update = this.#toUpdate(part);
    for (let time = 0; time < times; time += 1) {
      await client.update(update);
      this.#sent += 1;
      if (this.#sent % updatesPerBreath === 0) await clock.breathe();
      client.signal.throwIfAborted();
    }
  }

  #toUpdate(part: ShownPart): SessionUpdate {
    if (part.type === 'plan') return { sessionUpdate: 'plan', entries: part.entries };
    if (this.#message?.type !== part.type || part.startsMessage === true) {
      this.#message = { type: part.type, id: this.#turn.conversation.createMessageId() };
    }
    return {
      sessionUpdate: part.type === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk',
      content: { type: 'text', text: part.text },
      messageId: this.#message.id,
    };
  }

  #keep(text: string, times: number): void {
    const room = this.#turn.limits.messageChars - this.#text.length;
    const fitting = text === '' ? 0 : Math.min(times, Math.ceil(room / text.length));
    this.#text += text.repeat(Math.max(0, fitting)).slice(0, Math.max(0, room));
  }
}
