import { LineEditor } from '../terminal/line-editor.ts';

/** A question whose answer is a key, a line, or a line that is not shown. */
export interface AskedQuestion {
  readonly kind: 'key' | 'line' | 'secret';
  readonly prompt: string;
  /** Which keys mean something. @default none */
  readonly isAnswer?: (key: string) => boolean;
}

/** A question that waits for its answer. */
export class ConsoleQuestion implements Disposable {
  readonly asked: AskedQuestion;
  /** What was typed of the answer. */
  readonly answer: LineEditor = new LineEditor();
  /** Undefined when there is no answer: the question was dismissed. */
  readonly answered: Promise<string | undefined>;
  readonly #signal: AbortSignal;
  #resolve: (answer: string | undefined) => void = () => {};

  constructor(asked: AskedQuestion, signal: AbortSignal) {
    this.asked = asked;
    this.#signal = signal;
    this.answered = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    signal.addEventListener('abort', this.#dismiss);
  }

  answerWith(answer: string | undefined): void {
    this.#resolve(answer);
  }

  /** The question with its answer, as it stays on the screen. */
  echo(answer = ''): string {
    return `${this.asked.prompt}${this.asked.kind === 'secret' ? '' : answer}`;
  }

  [Symbol.dispose](): void {
    this.#signal.removeEventListener('abort', this.#dismiss);
    this.answer[Symbol.dispose]();
  }

  readonly #dismiss = (): void => {
    this.#resolve(undefined);
  };
}
