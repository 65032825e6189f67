import { toPlainText } from './plain.ts';
import type { Style } from './style.ts';
import type { Writer } from './writer.ts';

/** Shows the agent's messages in another form than as text. */
export interface MessageView {
  /** Takes text that is safe to show. */
  add(text: string): void;
  /** Finishes the line; the message may continue. */
  flush(): void;
  /** Finishes the message. */
  end(): void;
}

/** What a part of the text is: words of the agent, which continue, or lines about something. */
type Block = 'message' | 'thought' | 'lines';

/** Text that is written for a user from top to bottom: the agent's words as they come, and lines between them. */
export class TextPage {
  readonly #writer: Writer;
  readonly #style: Style;
  /** @default messages are written as they come */
  readonly #messages: MessageView | undefined;
  /** What the end of the written text belongs to. */
  #block: Block | 'start' = 'start';
  #isAtLineStart = true;
  /** The message that the agent writes, if it marks its messages. */
  #messageId: string | undefined;
  /** What the last line is about, if it is not finished. */
  #unfinished: string | undefined;

  constructor(writer: Writer, style: Style, messages?: MessageView) {
    this.#writer = writer;
    this.#style = style;
    this.#messages = messages;
  }

  /** Whether the last line is about this, and can be continued: nothing was written in between. */
  isUnfinished(about: string): boolean {
    return this.#unfinished === about;
  }

  /** Writes a part of the agent's message. @param id The message, if the agent marks its messages. */
  message(text: string, id: string | undefined): void {
    if (id !== this.#messageId) {
      this.#messageId = id;
      if (this.#block === 'message') this.#separate();
    }
    const plain = this.#beginWords('message', text);
    if (plain === '') return;
    if (this.#messages === undefined) this.#put(plain);
    else this.#messages.add(plain);
  }

  /** Writes a part of what the agent thinks. */
  thought(text: string): void {
    const plain = this.#beginWords('thought', text);
    if (plain !== '') this.#put(plain.split('\n').map(this.#style.dim).join('\n'));
  }

  /** Writes whole lines. @param text Without the last line break. */
  line(text: string): void {
    this.#begin('lines');
    this.#put(`${text}\n`);
  }

  /** Begins a line about something, which `endLine` finishes. */
  beginLine(text: string, about: string): void {
    this.#begin('lines');
    this.#put(text);
    this.#unfinished = about;
  }

  /** Finishes the line that was begun last, or what follows it. @param text Without the last line break. */
  endLine(text: string): void {
    this.#unfinished = undefined;
    this.#put(`${text}\n`);
  }

  /** Finishes what is being written, as something else is about to be shown on the same screen. */
  async makeRoom(): Promise<void> {
    this.#unfinished = undefined;
    this.#messages?.flush();
    if (!this.#isAtLineStart) this.#put('\n');
    await this.#writer.flush();
  }

  #put(text: string): void {
    this.#writer.write(text);
    this.#isAtLineStart = text.endsWith('\n');
  }

  /** Begins another block: on a line of its own, with an empty line between words and lines. */
  #begin(next: Block): void {
    if (this.#block === next && next !== 'lines') return;
    this.#unfinished = undefined;
    if (this.#block === 'message') this.#endMessage();
    if (!this.#isAtLineStart) this.#put('\n');
    if (this.#block !== 'start' && this.#block !== next) this.#put('\n');
    this.#block = next;
  }

  /** Begins words, unless nothing of them is left to be shown. Returns them as they are safe to show. */
  #beginWords(next: 'message' | 'thought', text: string): string {
    // Some agents begin what they think with empty lines; between blocks there is one already.
    const plain = this.#block === next ? toPlainText(text) : toPlainText(text).replace(/^\n+/u, '');
    if (plain !== '') this.#begin(next);
    return plain;
  }

  /** Separates two consecutive messages. */
  #separate(): void {
    this.#endMessage();
    this.#put(this.#isAtLineStart ? '\n' : '\n\n');
  }

  #endMessage(): void {
    if (this.#messages === undefined) return;
    this.#messages.end();
    this.#isAtLineStart = true;
  }
}
