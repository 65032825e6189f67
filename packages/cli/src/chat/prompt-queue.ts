import { toPlainLine } from '../output/plain.ts';

/** The result of a command about the queue: a message for the user, or a line to edit again. */
export type QueueReply = { readonly said: string } | { readonly draft: string };

/** Displayed characters of a queued prompt. */
const maxLength = 60;

/** Prompts that wait until the running turn has ended, in the order they will be sent. */
export class PromptQueue {
  readonly #lines: string[] = [];
  #isHeld = false;

  /** The user stopped a turn: queued prompts are sent when the user says so. */
  get isHeld(): boolean {
    return this.#isHeld && this.#lines.length > 0;
  }

  get length(): number {
    return this.#lines.length;
  }

  /** How to resume prompts that are held. */
  get heldText(): string {
    const count = this.#lines.length;
    return `${count === 1 ? '1 queued prompt is' : `${String(count)} queued prompts are`} paused: Enter sends, /queue edits`;
  }

  add(line: string): void {
    this.#lines.push(line);
  }

  /** Removes and returns the prompt that should be sent now. */
  next(): string | undefined {
    return this.#isHeld ? undefined : this.#lines.shift();
  }

  hold(): void {
    this.#isHeld = this.#lines.length > 0;
  }

  release(): void {
    this.#isHeld = false;
  }

  /** Runs a `/queue` command. */
  change(words: string): QueueReply {
    const [verb = '', ...numbers] = words.split(/\s+/u).filter((word) => word !== '');
    switch (verb) {
      case '':
        return this.#show();
      case 'send':
        this.release();
        return this.#show();
      case 'drop':
        if (numbers.length === 1 && numbers[0] === 'all') {
          return { said: `dropped: ${String(this.#lines.splice(0).length)}` };
        }
        return this.#with(numbers, 1, ([line]) => {
          this.#take(line);
          return this.#show();
        });
      case 'edit':
        return this.#with(numbers, 1, ([line]) => ({ draft: this.#take(line) }));
      case 'move':
        return this.#with(numbers, 2, ([from, to]) => {
          this.#lines.splice(to - 1, 0, this.#take(from));
          return this.#show();
        });
      default:
        return { said: usage };
    }
  }

  #show(): { readonly said: string } {
    if (this.#lines.length === 0) return { said: 'the queue is empty' };
    const shown = this.#lines.map((line, index) => `${String(index + 1)}  ${toPlainLine(line, maxLength)}`);
    const when = this.isHeld ? 'queued; /queue send sends them' : 'queued until this turn ends';
    return { said: `${when}:\n  ${shown.join('\n  ')}` };
  }

  #take(number: number): string {
    return this.#lines.splice(number - 1, 1)[0] ?? '';
  }

  /** Reads that many numbers of lines, as they are shown. */
  #with(
    typed: readonly string[],
    count: 1 | 2,
    change: (numbers: readonly [number, number]) => QueueReply,
  ): QueueReply {
    if (typed.length !== count || !typed.every((word) => /^\d{1,9}$/u.test(word))) return { said: usage };
    const [first = 0, second = first] = typed.map(Number);
    const isThere = (number: number): boolean => number >= 1 && number <= this.#lines.length;
    if (!isThere(first) || !isThere(second)) return { said: `no such prompt; ${this.#show().said}` };
    return change([first, second]);
  }
}

const usage = '/queue, /queue send, /queue drop N, /queue drop all, /queue edit N, /queue move N TO';
