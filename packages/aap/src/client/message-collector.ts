import type { ContentBlock } from '../content-block.ts';
import type { ReceivedAgentMessage, ReceivedMessage, ReceivedTurnEvent } from '../received.ts';
import type { Meta, ToolCall } from '../tool.ts';
import { AapClientError } from './aap-error.ts';
import { defaultClientLimits } from './limits.ts';

/** Combines the events of a turn into messages, in order. */
export class MessageCollector {
  readonly #maxCharacters: number;
  readonly #messages: ReceivedAgentMessage[] = [];
  /** Text of the agent until the next result. */
  #blocks: ContentBlock[] = [];
  readonly #callIds = new Set<string>();
  #characters = 0;
  #hasBegun = false;

  constructor({
    maxTurnCharacters = defaultClientLimits.maxTurnCharacters,
  }: { readonly maxTurnCharacters?: number } = {}) {
    this.#maxCharacters = maxTurnCharacters;
  }

  /** The messages so far. */
  get messages(): readonly ReceivedAgentMessage[] {
    return this.#blocks.length === 0
      ? [...this.#messages]
      : [...this.#messages, { role: 'assistant', content: [...this.#blocks] }];
  }

  /** Whether any event arrived. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  add(event: ReceivedTurnEvent): void {
    this.#hasBegun = true;
    switch (event.event) {
      case 'text_delta':
        return this.#addText(event.delta, true);
      case 'thinking_delta':
        return this.#addThought(event.delta, true);
      case 'text':
        return this.#addText(event.text, false);
      case 'thinking':
        return this.#addThought(event.thinking, false);
      case 'tool_call': {
        // A server may send a call twice.
        if (this.#callIds.has(event.toolCallId)) return;
        this.#callIds.add(event.toolCallId);
        const { event: _, ...call } = event;
        this.#blocks.push({ type: 'tool_use', ...call });
        return;
      }
      case 'tool_result': {
        const { event: _, ...result } = event;
        this.#endAssistantMessage();
        this.#messages.push({ role: 'tool', ...result });
        return;
      }
      case 'turn_start':
      case 'turn_stop':
      case 'unknown':
    }
  }

  #addText(text: string, isDelta: boolean): void {
    this.#count(text);
    const last = this.#blocks.at(-1);
    if (!isDelta || last?.type !== 'text') this.#blocks.push({ type: 'text', text });
    else this.#blocks.splice(-1, 1, { type: 'text', text: last.text + text });
  }

  #addThought(thinking: string, isDelta: boolean): void {
    this.#count(thinking);
    const last = this.#blocks.at(-1);
    if (!isDelta || last?.type !== 'thinking') this.#blocks.push({ type: 'thinking', thinking });
    else this.#blocks.splice(-1, 1, { type: 'thinking', thinking: last.thinking + thinking });
  }

  #count(text: string): void {
    this.#characters += text.length;
    if (this.#characters <= this.#maxCharacters) return;
    throw new AapClientError('too-large', `the turn has more than ${this.#maxCharacters} characters of text`);
  }

  #endAssistantMessage(): void {
    if (this.#blocks.length === 0) return;
    this.#messages.push({ role: 'assistant', content: this.#blocks });
    this.#blocks = [];
  }
}

/** Returns the messages that the events of one turn represent. */
export async function collectMessages(
  events: Iterable<ReceivedTurnEvent> | AsyncIterable<ReceivedTurnEvent>,
): Promise<readonly ReceivedAgentMessage[]> {
  const collector = new MessageCollector();
  for await (const event of events) collector.add(event);
  return collector.messages;
}

/** A call that waits for the application, with its metadata. */
export interface OpenCall extends ToolCall, Meta {}

/**
 * Returns the calls since the user's last message that have no result: after a turn has stopped, those that wait for
 * the application.
 */
export function findOpenCalls(messages: Iterable<ReceivedMessage>): readonly OpenCall[] {
  const open = new Map<string, OpenCall>();
  for (const message of messages) {
    switch (message.role) {
      case 'user':
        open.clear();
        break;
      case 'tool':
        open.delete(message.toolCallId);
        break;
      case 'assistant':
        if (typeof message.content === 'string') break;
        for (const block of message.content) {
          if (block.type !== 'tool_use') continue;
          const { type: _, ...call } = block;
          open.set(call.toolCallId, call);
        }
        break;
      case 'system':
      case 'unknown':
    }
  }
  return [...open.values()];
}
