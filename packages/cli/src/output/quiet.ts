import type { UpdateEvent } from '@parley/host';
import type { Output } from './output.ts';
import { toPlainText } from './plain.ts';
import type { Writer } from './writer.ts';

/** Where the message goes. */
export interface QuietOptions {
  readonly writer: Writer;
  /** On a terminal the text is made safe; a file or a program receives it unchanged. */
  readonly isTerminal: boolean;
  readonly warn: (message: string) => void;
}

/** Only the agent's final message, when the turn has ended. */
export function createQuietOutput({ writer, isTerminal, warn }: QuietOptions): Output {
  let message = new Message();
  let messageId: string | undefined;
  let isOver = true;
  let written: Promise<void> | undefined;

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

  async function write(): Promise<void> {
    const { parts } = message;
    let end = '';
    for (const part of isTerminal ? [toPlainText(parts.join(''))] : parts) {
      writer.write(part);
      if (part !== '') end = part;
      // A reader begins with a long message while the rest of it is still to be encoded.
      await writer.ready();
    }
    if (end !== '' && !end.endsWith('\n')) writer.write('\n');
  }

  return {
    session() {
      // Not part of the message.
    },
    event(event) {
      if (event.type === 'update' && event.subagent === undefined) update(event);
      // Why the run ended is its last line.
      if (event.type === 'diagnostic' && event.level !== 'info' && event.code !== 'turn-timeout') {
        warn(`${event.code}: ${event.message}`);
      }
      return undefined;
    },
    makeRoom: () => Promise.resolve(),
    turnEnded() {
      written ??= write();
    },
    async stop() {
      written ??= write();
      await written;
      await writer.flush();
    },
  };
}

/** A message that comes in pieces: a few together become one text, as many small ones cost the garbage collector most. */
class Message {
  readonly #parts: string[] = [];
  #pieces: string[] = [];

  add(piece: string): void {
    if (piece === '') return;
    this.#pieces.push(piece);
    // Both halves of a character are in one part: each part is encoded by itself.
    if (this.#pieces.length < piecesInPart || endsInCharacter(piece)) return;
    this.#parts.push(this.#pieces.join(''));
    this.#pieces = [];
  }

  get parts(): readonly string[] {
    return [...this.#parts, this.#pieces.join('')];
  }
}

/** Whether a text ends with the first half of a character. */
function endsInCharacter(text: string): boolean {
  const code = text.charCodeAt(text.length - 1);
  return code >= 0xd8_00 && code < 0xdc_00;
}

const piecesInPart = 64;
