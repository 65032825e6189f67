import type { SessionUpdate } from '@parley/acp';

/** Characters of a delegate's final message that are stored; the beginning is dropped first. */
const maxFinalMessageLength = 128 * 1024;

/** The last message of an agent in a turn, from its updates. */
export class FinalMessage {
  #text = '';
  #isCut = false;
  #messageId: string | undefined;
  #isOver = true;

  take(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        // Another id, or something between, makes it another message.
        if (this.#isOver || update.messageId !== this.#messageId) this.clear();
        this.#isOver = false;
        this.#messageId = update.messageId;
        if (update.content.type === 'text') this.#add(update.content.text);
        break;
      case 'tool_call':
      case 'agent_thought_chunk':
      case 'user_message_chunk':
        this.#isOver = true;
        break;
      default:
        break;
    }
  }

  clear(): void {
    this.#text = '';
    this.#isCut = false;
  }

  get text(): string {
    return this.#isCut
      ? `[the beginning was dropped]\n${this.#text.slice(-maxFinalMessageLength)}`
      : this.#text;
  }

  #add(text: string): void {
    this.#text += text;
    if (this.#text.length <= maxFinalMessageLength) return;
    this.#isCut = true;
    // Seldom: cutting at each chunk would copy all of it each time.
    if (this.#text.length > 2 * maxFinalMessageLength) this.#text = this.#text.slice(-maxFinalMessageLength);
  }
}
