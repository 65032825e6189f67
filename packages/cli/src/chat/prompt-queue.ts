import { toPlainLine } from '../output/plain.ts';

/** The result of a command about the queue: a message for the user, or a line to edit again. */
export type QueueReply = { readonly said: string } | { readonly draft: string };

/** How much of a waiting line is shown. */
const maxLength = 60;

/** Lines that wait until the running turn has ended, in the order they will be sent. */
export class PromptQueue {
  readonly #lines: string[] = [];

  get length(): number {
    return this.#lines.length;
  }

  add(line: string): void {
    this.#lines.push(line);
  }

  /** Takes the line that is next. */
  shift(): string | undefined {
    return this.#lines.shift();
  }

  /** Throws all of them away; gives how many there were. */
  clear(): number {
    return this.#lines.splice(0).length;
  }

  /** Does what stands behind `/queue`. */
  change(words: string): QueueReply {
    const [verb = '', ...numbers] = words.split(/\s+/u).filter((word) => word !== '');
    switch (verb) {
      case '':
        return this.#show();
      case 'drop':
        if (numbers.length === 1 && numbers[0] === 'all') {
          const count = this.clear();
          return { said: `dropped: ${String(count)}` };
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
    if (this.#lines.length === 0) return { said: 'nothing waits' };
    const shown = this.#lines.map((line, index) => `${String(index + 1)}  ${toPlainLine(line, maxLength)}`);
    return { said: `sent when this turn has ended:\n  ${shown.join('\n  ')}` };
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
    if (!isThere(first) || !isThere(second)) return { said: `there is no such line; ${this.#show().said}` };
    return change([first, second]);
  }
}

const usage = '/queue, /queue drop N, /queue drop all, /queue edit N, /queue move N TO';
