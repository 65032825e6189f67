import type { ContentBlock } from '@parley/acp';

/** Prompts that wait for the next request to the model; further prompts are refused. */
const maxWaiting = 64;

/** What a client sends into the running turn of a session. */
export class Steering {
  #prompts: (readonly ContentBlock[])[] = [];
  #isOpen = false;

  /** A turn runs that asks the model. */
  open(): void {
    this.#isOpen = true;
  }

  /** Takes a prompt for the running turn. */
  add(prompt: readonly ContentBlock[]): 'injected' | 'not-running' | 'full' {
    if (!this.#isOpen) return 'not-running';
    if (this.#prompts.length >= maxWaiting) return 'full';
    this.#prompts.push(prompt);
    return 'injected';
  }

  /** What was sent since the last request to the model. */
  take(): readonly (readonly ContentBlock[])[] {
    const prompts = this.#prompts;
    this.#prompts = [];
    return prompts;
  }

  /** Called when the turn is about to end. Returns false if a message was sent into the turn, which then continues. */
  closeIfEmpty(): boolean {
    if (this.#prompts.length > 0) return false;
    this.#isOpen = false;
    return true;
  }

  /** Closes it at the end of the turn; text that was not delivered is dropped. */
  close(): void {
    this.#isOpen = false;
    this.#prompts = [];
  }
}
