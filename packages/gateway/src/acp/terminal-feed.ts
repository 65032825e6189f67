import type { TerminalText } from '@parley/host';

/**
 * Sends the output of commands to one client. For a slow client nothing is buffered; it receives the complete output
 * again.
 */
export class TerminalFeed {
  readonly #send: (text: TerminalText) => Promise<void>;
  readonly #wholeOf: (terminalId: string) => TerminalText | undefined;
  /** Those of which something was left out. */
  readonly #gaps = new Set<string>();
  #isSending = false;

  constructor(
    send: (text: TerminalText) => Promise<void>,
    wholeOf: (terminalId: string) => TerminalText | undefined,
  ) {
    this.#send = send;
    this.#wholeOf = wholeOf;
  }

  take(text: TerminalText): void {
    if (this.#isSending) this.#gaps.add(text.terminalId);
    else void this.#sendAll(text);
  }

  async #sendAll(first: TerminalText): Promise<void> {
    this.#isSending = true;
    let next: TerminalText | undefined = first;
    try {
      while (next !== undefined) {
        await this.#send(next);
        next = this.#takeGap();
      }
    } catch {
      // The client has disconnected.
    }
    this.#isSending = false;
  }

  #takeGap(): TerminalText | undefined {
    for (const terminalId of this.#gaps) {
      this.#gaps.delete(terminalId);
      const whole = this.#wholeOf(terminalId);
      if (whole !== undefined) return whole;
    }
    return undefined;
  }
}
