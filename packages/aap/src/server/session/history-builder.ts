import type { ContentBlock } from '../../content-block.ts';
import type { AssistantMessage, HistoryMessage } from '../../message.ts';
import type { LoggedEvent } from '../turn/logged-event.ts';

/** Makes messages of events, with the blocks in the order in which they came. */
export class HistoryBuilder {
  /** All that was said, oldest first. The last one may still grow. */
  readonly messages: HistoryMessage[] = [];
  /** Of the message that grows. */
  #blocks: ContentBlock[] | undefined;
  /** The block that grows. */
  #open: { kind: 'text' | 'thinking'; text: string } | undefined;

  /** Adds a whole message, which ends the one before. */
  push(message: HistoryMessage): void {
    this.endMessage();
    this.messages.push(message);
  }

  /** What follows is another message. */
  endMessage(): void {
    this.#blocks = undefined;
    this.#open = undefined;
  }

  /** Adds what an event brings. */
  add(event: LoggedEvent): void {
    switch (event.event) {
      case 'text_delta':
        return this.#grow('text', event.delta);
      case 'thinking_delta':
        return this.#grow('thinking', event.delta);
      case 'block_end':
        this.#open = undefined;
        return undefined;
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
    this.messages[this.messages.length - 1] = interrupted;
    this.endMessage();
  }

  #grow(kind: 'text' | 'thinking', delta: string): void {
    const blocks = this.#blocksOfMessage();
    if (this.#open?.kind === kind) {
      this.#open.text += delta;
      blocks[blocks.length - 1] = toBlock(this.#open);
      return;
    }
    const open = { kind, text: delta };
    blocks.push(toBlock(open));
    this.#open = open;
  }

  #addBlock(block: ContentBlock): void {
    this.#open = undefined;
    this.#blocksOfMessage().push(block);
  }

  #blocksOfMessage(): ContentBlock[] {
    if (this.#blocks === undefined) {
      this.#blocks = [];
      this.messages.push({ role: 'assistant', content: this.#blocks });
    }
    return this.#blocks;
  }
}

interface InterruptedMessage extends AssistantMessage {
  readonly _meta: { readonly interrupted: true };
}

function toBlock({
  kind,
  text,
}: {
  readonly kind: 'text' | 'thinking';
  readonly text: string;
}): ContentBlock {
  return kind === 'text' ? { type: 'text', text } : { type: 'thinking', thinking: text };
}
