import type { TerminalNote } from '../hub/hub-methods.ts';
import { RedactedText, type Redaction } from '../redaction/redaction.ts';
import { TextTail } from './text-tail.ts';

/** What is told of a terminal, but for its session. */
export type TerminalText = Omit<TerminalNote, 'sessionId'>;

interface LiveTerminal {
  readonly redacted: RedactedText;
  readonly tail: TextTail;
  /** What was written since it was told last. */
  pending: string;
}

/** What the commands of a session write while they run, told a few times a second. */
export class LiveTerminals {
  readonly #terminals = new Map<string, LiveTerminal>();
  readonly #limit: number;
  readonly #redaction: () => Redaction;
  readonly #tell: (text: TerminalText) => void;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param limit Characters that are held of each.
   * @param redaction What must not be told, asked for each terminal.
   */
  constructor(limit: number, redaction: () => Redaction, tell: (text: TerminalText) => void) {
    this.#limit = limit;
    this.#redaction = redaction;
    this.#tell = tell;
  }

  /** All that is held of each, for somebody who knows nothing of them. */
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
    // Of what comes faster than it can be told, the end counts.
    if (terminal.pending.length > this.#limit) terminal.pending = terminal.pending.slice(-2 * this.#limit);
    this.#timer ??= setTimeout(() => {
      this.#tellPending();
    }, tellMs);
  }

  /** The command has ended: its event tells the whole. */
  end(terminalId: string): void {
    this.#tellPending();
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

  #tellPending(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [terminalId, terminal] of this.#terminals) {
      const { pending, tail } = terminal;
      if (pending === '') continue;
      terminal.pending = '';
      if (pending.length > this.#limit) this.#tell({ terminalId, text: tail.text, isWhole: true });
      else this.#tell({ terminalId, text: pending });
    }
  }
}

/** How often what a command writes is told. */
const tellMs = 50;
