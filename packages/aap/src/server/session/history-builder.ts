import type { ContentBlock } from '../../content-block.ts';
import type { AssistantMessage, HistoryMessage } from '../../message.ts';
import type { LoggedTurnEvent } from '../turn/logged-turn-event.ts';

/** Makes messages of events, with the blocks in the order in which they came. */
export class HistoryBuilder {
  readonly #messages: HistoryMessage[] = [];
  /** Of the message that grows. */
  #blocks: ContentBlock[] | undefined;
  /** The block that grows. */
  #open: GrowingBlock | undefined;

  /** All that was said, oldest first. The last one may still grow. */
  get messages(): readonly HistoryMessage[] {
    this.#join();
    return this.#messages;
  }

  /** Adds a whole message, which ends the one before. */
  push(message: HistoryMessage): void {
    this.endMessage();
    this.#messages.push(message);
  }

  /** What follows is another message. */
  endMessage(): void {
    this.#endBlock();
    this.#blocks = undefined;
  }

  /** Adds what an event brings. */
  add(event: LoggedTurnEvent): void {
    switch (event.event) {
      case 'text_delta':
        return this.#grow('text', event.delta);
      case 'thinking_delta':
        return this.#grow('thinking', event.delta);
      case 'block_end':
        return this.#endBlock();
      case 'tool_call': {
        const { event: _, asks: __, ...call } = event;
        return this.#addBlock({ type: 'tool_use', ...call });
      }
      case 'tool_result': {
        const { event: _, shown: __, ...result } = event;
        return this.push({ role: 'tool', ...result });
      }
      case 'extension': {
        const { url } = event.data;
        // An event without a counterpart in the protocol, a block with one.
        if (event.name === 'image' && typeof url === 'string') this.#addBlock({ type: 'image', url });
        return undefined;
      }
    }
  }

  /** Says of the message that was growing that it is not whole. */
  markInterrupted(): void {
    const last = this.messages.at(-1);
    if (this.#blocks === undefined || last?.role !== 'assistant') return;
    const interrupted: InterruptedMessage = { ...last, _meta: { interrupted: true } };
    this.#messages[this.#messages.length - 1] = interrupted;
    this.endMessage();
  }

  #grow(kind: GrowingBlock['kind'], delta: string): void {
    if (this.#open?.kind === kind) {
      this.#open.pieces.push(delta);
      return;
    }
    this.#addBlock(toBlock(kind, delta));
    this.#open = { kind, pieces: [delta] };
  }

  #addBlock(block: ContentBlock): void {
    this.#endBlock();
    this.#blocksOfMessage().push(block);
  }

  #endBlock(): void {
    this.#join();
    this.#open = undefined;
  }

  /**
   * Joins pieces of text. Appending each piece to a string would keep all of them in memory for the lifetime of the
   * string.
   */
  #join(): void {
    const open = this.#open;
    if (open === undefined || this.#blocks === undefined || open.pieces.length === 1) return;
    const text = open.pieces.join('');
    open.pieces = [text];
    this.#blocks[this.#blocks.length - 1] = toBlock(open.kind, text);
  }

  #blocksOfMessage(): ContentBlock[] {
    if (this.#blocks === undefined) {
      this.#blocks = [];
      this.#messages.push({ role: 'assistant', content: this.#blocks });
    }
    return this.#blocks;
  }
}

/** A block that is not whole yet. */
interface GrowingBlock {
  readonly kind: 'text' | 'thinking';
  pieces: string[];
}

interface InterruptedMessage extends AssistantMessage {
  readonly _meta: { readonly interrupted: true };
}

function toBlock(kind: GrowingBlock['kind'], text: string): ContentBlock {
  return kind === 'text' ? { type: 'text', text } : { type: 'thinking', thinking: text };
}
