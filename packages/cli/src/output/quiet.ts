import type { UpdateEvent } from '@parley/host';
import type { Output } from './output.ts';
import { toPlainText } from './plain.ts';
import type { Writer } from './writer.ts';

/** Where the message goes. */
export interface QuietOptions {
  readonly writer: Writer;
  /** On a terminal the text is made safe; a file or a program gets it as it came. */
  readonly isTerminal: boolean;
  readonly warn: (message: string) => void;
}

/** Only the agent's final message, when the turn has ended. */
export function createQuietOutput({ writer, isTerminal, warn }: QuietOptions): Output {
  let message = new Message();
  let messageId: string | undefined;
  let isOver = true;

  function update({ view, replay }: UpdateEvent): void {
    if (replay) return;
    switch (view.sessionUpdate) {
      case 'agent_message_chunk':
        // Another id, or something between, makes it another message.
        if (isOver || view.messageId !== messageId) message = new Message();
        isOver = false;
        messageId = view.messageId;
        if (view.content.type === 'text') message.add(view.content.text);
        break;
      case 'tool_call':
      case 'agent_thought_chunk':
      case 'user_message_chunk':
        isOver = true;
        break;
      default:
        break;
    }
  }

  return {
    session() {
      // Not part of the message.
    },
    event(event) {
      if (event.type === 'update') update(event);
      if (event.type === 'diagnostic' && event.level !== 'info') warn(`${event.code}: ${event.message}`);
      return undefined;
    },
    makeRoom: () => Promise.resolve(),
    async stop() {
      const text = message.text;
      const shown = isTerminal ? toPlainText(text) : text;
      if (shown !== '') writer.write(shown.endsWith('\n') ? shown : `${shown}\n`);
      await writer.flush();
    },
  };
}

/** A message that comes in pieces: a few together become one text, as many small ones cost the garbage collector most. */
class Message {
  readonly #parts: string[] = [];
  #pieces: string[] = [];

  add(piece: string): void {
    this.#pieces.push(piece);
    if (this.#pieces.length < piecesInPart) return;
    this.#parts.push(this.#pieces.join(''));
    this.#pieces = [];
  }

  get text(): string {
    return [...this.#parts, ...this.#pieces].join('');
  }
}

const piecesInPart = 64;
