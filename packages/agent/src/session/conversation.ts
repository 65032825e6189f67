import { countCharacters, toTokens } from '../model/estimate-tokens.ts';
import type { ModelMessage } from '../model/model.ts';

/** What happens to a conversation; a log of these makes it again. */
export type ConversationChange =
  | { readonly type: 'message'; readonly message: ModelMessage }
  /** The model forgets all that was said. */
  | { readonly type: 'clear' };

/** What was said in a session, as the model reads it; past the limit the oldest turns are forgotten. */
export class Conversation {
  readonly #limitChars: number;
  #onChange: (change: ConversationChange) => void = () => undefined;
  #messages: ModelMessage[] = [];
  #chars = 0;
  /** What the model counted, and how many characters there were then. */
  #counted = { tokens: 0, chars: 0 };

  constructor(limitChars: number) {
    this.#limitChars = limitChars;
  }

  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  /** How many tokens it has: as the model counted last, and an estimate of what changed since. */
  get usedTokens(): number {
    const { tokens, chars } = this.#counted;
    return Math.max(0, tokens + toTokens(this.#chars - chars));
  }

  /** From now on each change is told, save those that are restored. */
  onChange(listener: (change: ConversationChange) => void): void {
    this.#onChange = listener;
  }

  add(message: ModelMessage): void {
    this.#change({ type: 'message', message });
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
        this.#chars += countCharacters(change.message);
        while (this.#chars > this.#limitChars && this.#forgetOldestTurn());
        return;
      case 'clear':
        this.#messages = [];
        this.#chars = 0;
        this.count(0);
        return;
    }
  }

  #change(change: ConversationChange): void {
    this.restore(change);
    this.#onChange(change);
  }

  #forgetOldestTurn(): boolean {
    const next = this.#messages.findIndex((message, index) => index > 0 && message.role === 'user');
    if (next === -1) return false;
    for (const message of this.#messages.slice(0, next)) this.#chars -= countCharacters(message);
    this.#messages = this.#messages.slice(next);
    return true;
  }
}
