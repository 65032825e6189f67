import { countCharacters } from '../model/estimate-tokens.ts';
import type { ModelMessage } from '../model/model.ts';

/** What was said in a session, as the model reads it; past the limit the oldest turns are forgotten. */
export class Conversation {
  readonly #limitChars: number;
  readonly #onAdd: (message: ModelMessage) => void;
  #messages: ModelMessage[] = [];
  #chars = 0;

  /** @param onAdd Hears of each message that is added, not of those that come back from an earlier time. */
  constructor(limitChars: number, onAdd: (message: ModelMessage) => void = () => undefined) {
    this.#limitChars = limitChars;
    this.#onAdd = onAdd;
  }

  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  add(message: ModelMessage): void {
    this.restore(message);
    this.#onAdd(message);
  }

  /** Takes a message that was added at an earlier time. */
  restore(message: ModelMessage): void {
    this.#messages.push(message);
    this.#chars += countCharacters(message);
    while (this.#chars > this.#limitChars && this.#forgetOldestTurn());
  }

  #forgetOldestTurn(): boolean {
    const next = this.#messages.findIndex((message, index) => index > 0 && message.role === 'user');
    if (next === -1) return false;
    for (const message of this.#messages.slice(0, next)) this.#chars -= countCharacters(message);
    this.#messages = this.#messages.slice(next);
    return true;
  }
}
