import { compactMessages } from '../compaction/compact-messages.ts';
import type { Compaction } from '../compaction/compact-messages.ts';
import { countText, estimateMessage } from '../model/estimate-tokens.ts';
import { countImageCharacters, withoutImages } from '../model/message-images.ts';
import type { ModelMessage } from '../model/model.ts';

/** A change of a conversation; replaying a log of these restores it. */
export type TranscriptChange =
  | { readonly type: 'message'; readonly message: ModelMessage }
  /** The model forgets all that was said. */
  | { readonly type: 'clear' }
  /** The older part was replaced; `usedTokens` is the new size. */
  | ({ readonly type: 'compaction'; readonly usedTokens: number } & Compaction);

/** Limits of a conversation. */
export interface TranscriptLimits {
  /** Characters of text; the oldest turns go first. */
  readonly conversationChars: number;
  /** Characters of Base64; the oldest images go first, and their messages stay. */
  readonly imageChars: number;
}

/** The messages of a conversation as the model reads them. Beyond the limits, the oldest are dropped. */
export class Transcript {
  readonly #limits: TranscriptLimits;
  #onChange: (change: TranscriptChange) => void = () => undefined;
  #messages: ModelMessage[] = [];
  /** What a model reads, by an estimate. */
  #estimatedTokens = 0;
  #textChars = 0;
  #imageChars = 0;
  #prompts = 0;
  /** What the model counted, and the estimate at that moment. */
  #counted = { tokens: 0, estimatedTokens: 0 };

  constructor(limits: TranscriptLimits) {
    this.#limits = limits;
  }

  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  get hasImages(): boolean {
    return this.#imageChars > 0;
  }

  /** The number of tokens: the model's last count, plus an estimate of later changes. */
  get usedTokens(): number {
    const { tokens, estimatedTokens } = this.#counted;
    return Math.max(0, tokens + this.#estimatedTokens - estimatedTokens);
  }

  /** Reports each change from now on, except restored ones. */
  onChange(listener: (change: TranscriptChange) => void): void {
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

  /** Sets the number of tokens that the model reports. */
  count(tokens: number): void {
    this.#counted = { tokens, estimatedTokens: this.#estimatedTokens };
  }

  /** Takes a change of an earlier time. */
  restore(change: TranscriptChange): void {
    switch (change.type) {
      case 'message':
        this.#messages.push(change.message);
        this.#measure(change.message, 1);
        while (this.#imageChars > this.#limits.imageChars) this.#forgetOldestImages();
        while (this.#textChars > this.#limits.conversationChars && this.#forgetOldestTurn());
        return;
      case 'clear':
        this.#messages = [];
        this.#estimatedTokens = 0;
        this.#textChars = 0;
        this.#imageChars = 0;
        this.#prompts = 0;
        this.count(0);
        return;
      case 'compaction':
        this.#messages = compactMessages(this.#messages, change);
        this.#estimatedTokens = 0;
        this.#textChars = 0;
        this.#imageChars = 0;
        this.#prompts = 0;
        for (const message of this.#messages) this.#measure(message, 1);
        this.count(change.usedTokens);
        return;
    }
  }

  #change(change: TranscriptChange): void {
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
    // A turn can have many thousand messages: they are not searched after each one.
    if (this.#prompts < 2 && this.#messages[0]?.role === 'user') return false;
    const next = this.#messages.findIndex((message, index) => index > 0 && message.role === 'user');
    if (next === -1) return false;
    for (const message of this.#messages.slice(0, next)) this.#measure(message, -1);
    this.#messages = this.#messages.slice(next);
    return true;
  }

  #measure(message: ModelMessage, sign: 1 | -1): void {
    this.#estimatedTokens += sign * estimateMessage(message);
    this.#textChars += sign * countText(message);
    this.#imageChars += sign * countImageCharacters(message);
    if (message.role === 'user') this.#prompts += sign;
  }
}
