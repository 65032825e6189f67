import { compactMessages } from '../compaction/compact-messages.ts';
import type { Compaction } from '../compaction/compact-messages.ts';
import { countCharacters, countText, toTokens } from '../model/estimate-tokens.ts';
import { countImageCharacters, withoutImages } from '../model/message-images.ts';
import type { ModelMessage } from '../model/model.ts';

/** What happens to a conversation; a log of these makes it again. */
export type ConversationChange =
  | { readonly type: 'message'; readonly message: ModelMessage }
  /** The model forgets all that was said. */
  | { readonly type: 'clear' }
  /** The model reads less of what was said; `usedTokens` is how much there is then. */
  | ({ readonly type: 'compaction'; readonly usedTokens: number } & Compaction);

/** How much of a conversation is kept. */
export interface ConversationLimits {
  /** Characters of text; the oldest turns go first. */
  readonly conversationChars: number;
  /** Characters of Base64; the oldest images go first, and their messages stay. */
  readonly imageChars: number;
}

/** What was said in a session, as the model reads it; past the limits the oldest is forgotten. */
export class Conversation {
  readonly #limits: ConversationLimits;
  #onChange: (change: ConversationChange) => void = () => undefined;
  #messages: ModelMessage[] = [];
  /** What a model reads, in characters. */
  #chars = 0;
  #textChars = 0;
  #imageChars = 0;
  /** What the model counted, and how many characters there were then. */
  #counted = { tokens: 0, chars: 0 };

  constructor(limits: ConversationLimits) {
    this.#limits = limits;
  }

  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  get hasImages(): boolean {
    return this.#imageChars > 0;
  }

  /** How many tokens it has: as the model counted last, and an estimate of what changed since. */
  get usedTokens(): number {
    const { tokens, chars } = this.#counted;
    return Math.max(0, tokens + toTokens(this.#chars - chars));
  }

  /** From now on each change is reported, save those that are restored. */
  onChange(listener: (change: ConversationChange) => void): void {
    this.#onChange = listener;
  }

  add(message: ModelMessage): void {
    this.#change({ type: 'message', message });
  }

  /** @param usedTokens What is left, by an estimate. */
  compact(compaction: Compaction, usedTokens: number): void {
    this.#change({ type: 'compaction', usedTokens, ...compaction });
  }

  clear(): void {
    this.#change({ type: 'clear' });
  }

  /** The model says how many tokens there are now. */
  count(tokens: number): void {
    this.#counted = { tokens, chars: this.#chars };
  }

  /** Takes a change of an earlier time. */
  restore(change: ConversationChange): void {
    switch (change.type) {
      case 'message':
        this.#messages.push(change.message);
        this.#measure(change.message, 1);
        while (this.#imageChars > this.#limits.imageChars) this.#forgetOldestImages();
        while (this.#textChars > this.#limits.conversationChars && this.#forgetOldestTurn());
        return;
      case 'clear':
        this.#messages = [];
        this.#chars = 0;
        this.#textChars = 0;
        this.#imageChars = 0;
        this.count(0);
        return;
      case 'compaction':
        this.#messages = compactMessages(this.#messages, change);
        this.#chars = 0;
        this.#textChars = 0;
        this.#imageChars = 0;
        for (const message of this.#messages) this.#measure(message, 1);
        this.count(change.usedTokens);
        return;
    }
  }

  #change(change: ConversationChange): void {
    this.restore(change);
    this.#onChange(change);
  }

  #forgetOldestImages(): void {
    const index = this.#messages.findIndex((message) => countImageCharacters(message) > 0);
    const message = this.#messages[index];
    if (message === undefined) return;
    const rest = withoutImages(message, 'the conversation has too many of them');
    this.#messages[index] = rest;
    this.#measure(message, -1);
    this.#measure(rest, 1);
  }

  #forgetOldestTurn(): boolean {
    const next = this.#messages.findIndex((message, index) => index > 0 && message.role === 'user');
    if (next === -1) return false;
    for (const message of this.#messages.slice(0, next)) this.#measure(message, -1);
    this.#messages = this.#messages.slice(next);
    return true;
  }

  #measure(message: ModelMessage, sign: 1 | -1): void {
    this.#chars += sign * countCharacters(message);
    this.#textChars += sign * countText(message);
    this.#imageChars += sign * countImageCharacters(message);
  }
}
