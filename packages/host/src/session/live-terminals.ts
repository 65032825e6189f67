import type { TerminalNote } from '../hub/hub-methods.ts';
import { RedactedText, type Redaction } from '../redaction/redaction.ts';
import { TextTail } from './text-tail.ts';

/** What is sent about a terminal, without its session. */
export type TerminalText = Omit<TerminalNote, 'sessionId'>;

interface LiveTerminal {
  readonly redacted: RedactedText;
  readonly tail: TextTail;
  /** What was written since the last notification. */
  pending: string;
}

/** What the commands of a session write while they run, sent a few times a second. */
export class LiveTerminals {
  readonly #terminals = new Map<string, LiveTerminal>();
  readonly #limit: number;
  readonly #redaction: () => Redaction;
  readonly #send: (text: TerminalText) => void;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param limit Number of characters to store per terminal.
   *
   * @param redaction Returns the redaction, called for each terminal.
   */
  constructor(limit: number, redaction: () => Redaction, send: (text: TerminalText) => void) {
    this.#limit = limit;
    this.#redaction = redaction;
    this.#send = send;
  }

  /** The stored output of each terminal, for a client that joins. */
  get whole(): readonly TerminalText[] {
    return Array.from(this.#terminals, ([terminalId, { tail }]) => ({
      terminalId,
      text: tail.text,
      isWhole: true,
    }));
  }

  write(terminalId: string, written: string): void {
    const terminal = this.#terminals.get(terminalId) ?? this.#begin();
    this.#terminals.set(terminalId, terminal);
    const text = terminal.redacted.push(written);
    terminal.tail.add(text);
    terminal.pending += text;
    // Of what comes faster than it can be sent, the end counts.
    if (terminal.pending.length > this.#limit) terminal.pending = terminal.pending.slice(-2 * this.#limit);
    this.#timer ??= setTimeout(() => {
      this.#sendPending();
    }, sendMs);
  }

  /** The command has ended: its event has the whole output. */
  end(terminalId: string): void {
    this.#sendPending();
    this.#terminals.delete(terminalId);
  }

  clear(): void {
    this.#terminals.clear();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #begin(): LiveTerminal {
    const redacted = new RedactedText(this.#redaction());
    return { redacted, tail: new TextTail(this.#limit), pending: '' };
  }

  #sendPending(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [terminalId, terminal] of this.#terminals) {
      const { pending, tail } = terminal;
      if (pending === '') continue;
      terminal.pending = '';
      if (pending.length > this.#limit) this.#send({ terminalId, text: tail.text, isWhole: true });
      else this.#send({ terminalId, text: pending });
    }
  }
}

/** Interval at which the output of a command is sent. */
const sendMs = 50;
