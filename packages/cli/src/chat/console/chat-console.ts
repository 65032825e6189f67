import { readingMs } from '@parley/host/state';
import { systemClock, type Clock } from '@parley/wire';
import type { Style } from '../../output/style.ts';
import type { Writer } from '../../output/writer.ts';
import type { KeySource } from '../../question/early-keys.ts';
import { interrupt, stopProcess, runCommand, type Terminal } from '../../question/terminal.ts';
import { Keyboard } from '../../terminal/keyboard.ts';
import { isControl, isEnter, type Typed, type TypedKey } from '../../terminal/keys.ts';
import { LineEditor } from '../../terminal/line-editor.ts';
import { LiveScreen, type Screen, type ScreenStream } from '../../terminal/live-screen.ts';
import { PlainScreen } from '../../terminal/plain-screen.ts';
import { ConsoleQuestion, type AskedQuestion } from '../console-question.ts';
import type { PromptQueue } from '../prompt-queue.ts';
import { toEcho, toFooter, type FooterState } from './chat-footer.ts';
import { Completion, type Complete } from './completion.ts';
import type { LineListener, LineSource } from './line-source.ts';

/** The terminal of a chat, and what it shows beside the lines that are typed. */
export interface ChatConsoleOptions {
  readonly input: KeySource;
  readonly stream: ScreenStream;
  /** Where output goes when that is not this terminal. */
  readonly elsewhere?: Writer;
  /** The terminal understands nothing but text. */
  readonly isDumb: boolean;
  readonly style: Style;
  /** Lines that are taken before more are asked for. */
  readonly queue: PromptQueue;
  /** Mode and model, above the line that is being typed. */
  readonly status: () => string | undefined;
  /** What runs and since when, while a turn runs. */
  readonly activity: () => string | undefined;
  /** Stops what works while no turn runs. Returns whether there was something to stop. */
  readonly stopBackground: () => boolean;
  readonly complete: Complete;
  /** Called when the user leaves during a turn that continues without this terminal. @default leaving waits for the turn's end */
  readonly onLeaveTurn?: () => void;
  /** @default the machine's own time */
  readonly clock?: Clock;
}

/**
 * The lines and answers that a user types, below the agent's output. The current line is never removed: a question
 * gets keys only while that line is empty, and after there was time to read it.
 */
export class ChatConsole implements LineSource, Terminal, Disposable {
  readonly screen: Screen;
  readonly #options: ChatConsoleOptions;
  readonly #clock: Clock;
  readonly #keyboard: Keyboard;
  readonly #line = new LineEditor();
  readonly #completion: Completion;
  #asking: ((line: string | undefined) => void) | undefined;
  #onLine: LineListener | undefined;
  #question: ConsoleQuestion | undefined;
  /** Settles when a question that was just shown may be answered. */
  #presented: (() => void) | undefined;
  #isArmed = false;
  /** A key has answered just now: what is presented next is part of the same dialogue. */
  #isAnswering = false;
  /** Keys that come too early answer nothing, and begin no line. */
  #discardsEarly = false;
  #stopArming = (): void => {};
  #stopTicking = (): void => {};
  #hasLeft = false;
  /** Ctrl-C was pressed at an empty line. */
  #isLeaving = false;

  constructor(options: ChatConsoleOptions) {
    const { input, stream, elsewhere, isDumb, clock = systemClock } = options;
    this.#options = options;
    this.#clock = clock;
    this.#completion = new Completion(options.complete, () => this.screen.refresh());
    const screenOptions = {
      stream,
      footer: (size: Screen['size']) => toFooter(this.#state(), size, options.style),
      ...(elsewhere !== undefined && { elsewhere }),
    };
    this.screen = isDumb ? new PlainScreen(screenOptions) : new LiveScreen(screenOptions);
    this.#keyboard = new Keyboard({
      input,
      stream,
      isDumb,
      onTyped: (typed) => {
        this.#take(typed);
      },
      onEnd: this.leave,
    });
  }

  get columns(): number {
    return this.screen.size.columns;
  }

  next(): Promise<string | undefined> {
    return new Promise((resolve) => {
      if (this.#takeQueued(resolve)) return;
      if (this.#hasLeft) resolve(undefined);
      else this.#asking = resolve;
      this.screen.refresh();
    });
  }

  collect(onLine: LineListener): () => void {
    this.#onLine = onLine;
    this.#tick();
    return () => {
      this.#onLine = undefined;
      this.#stopTicking();
      const asking = this.#asking;
      if (asking !== undefined && this.#takeQueued(asking)) this.#asking = undefined;
      this.screen.refresh();
    };
  }

  prefill(text: string): void {
    this.#line.clear();
    this.#line.insert(text);
    this.screen.refresh();
  }

  show(text: string): void {
    this.screen.print(text.replace(/\n$/u, '').split('\n'));
  }

  async present(text: string, signal: AbortSignal): Promise<void> {
    this.show(text);
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        this.#presented = undefined;
        signal.removeEventListener('abort', settle);
        resolve();
      };
      this.#presented = settle;
      signal.addEventListener('abort', settle, { once: true });
      this.#discardsEarly = this.#isAnswering;
      this.#isArmed = false;
      this.#arm();
    });
  }

  ask(prompt: string, signal: AbortSignal): Promise<string | undefined> {
    return this.#ask({ kind: 'line', prompt }, signal);
  }

  askKey(
    prompt: string,
    isAnswer: (key: string) => boolean,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    return this.#ask({ kind: 'key', prompt, isAnswer }, signal);
  }

  askSecret(prompt: string, signal: AbortSignal): Promise<string | undefined> {
    return this.#ask({ kind: 'secret', prompt }, signal);
  }

  async run(...wanted: Parameters<Terminal['run']>): Promise<boolean> {
    const resume = this.#release();
    try {
      return await runCommand(...wanted);
    } finally {
      resume();
    }
  }

  [Symbol.dispose](): void {
    this.#stopArming();
    this.#stopTicking();
    this.screen.close();
    this.#keyboard[Symbol.dispose]();
    this.#line[Symbol.dispose]();
  }

  /** Asks for no further line. */
  readonly leave = (): void => {
    this.#hasLeft = true;
    this.#settle(undefined);
    this.#question?.answerWith(undefined);
    this.#presented?.();
  };

  /** Gives the terminal to something else until what this returns is called. */
  #release(): () => void {
    const draw = this.screen.suspend();
    const grab = this.#keyboard.release();
    return () => {
      grab();
      draw();
    };
  }

  #state(): FooterState {
    const { queue, status, activity } = this.#options;
    const question = this.#question;
    const isWaiting = this.#asking !== undefined && this.#onLine === undefined;
    const { text, cursor } = this.#line;
    const running = this.#onLine === undefined ? undefined : activity();
    const mode = isWaiting ? status() : undefined;
    return {
      ...(running !== undefined && { activity: running }),
      ...(mode !== undefined && { status: mode }),
      ...((question !== undefined || this.#presented !== undefined) && {
        question: {
          prompt: question?.asked.prompt ?? '',
          answer: { text: question?.answer.text ?? '', cursor: question?.answer.cursor ?? 0 },
          isHidden: question?.asked.kind === 'secret',
          isArmed: question !== undefined && this.#isArmed,
        },
      }),
      ...((isWaiting || text !== '') && { line: { text, cursor } }),
      hints: [
        ...(isWaiting && queue.isHeld ? [queue.heldText] : []),
        ...(this.#isLeaving ? ['Press Ctrl-C again to leave.'] : []),
        ...(this.#hasLeft && this.#onLine !== undefined ? ['Leaving when this turn ends.'] : []),
        ...(this.#isArmed ? [] : this.#completion.rows),
      ],
    };
  }

  /** The activity shows seconds. */
  #tick(): void {
    this.screen.refresh();
    this.#stopTicking = this.#clock.after(1000, () => {
      this.#tick();
    });
  }

  #takeQueued(resolve: (line: string) => void): boolean {
    const line = this.#options.queue.next();
    if (line === undefined) return false;
    this.#echo(line);
    resolve(line);
    return true;
  }

  /** What was typed goes up to the output. */
  #echo(line: string, mark = ''): void {
    this.screen.write(`${toEcho(line)}${mark}\n`);
  }

  #settle(line: string | undefined): void {
    const asking = this.#asking;
    this.#asking = undefined;
    this.screen.refresh();
    asking?.(line);
  }

  async #ask(asked: AskedQuestion, signal: AbortSignal): Promise<string | undefined> {
    if (signal.aborted || this.#hasLeft) return undefined;
    using question = new ConsoleQuestion(asked, signal);
    this.#question = question;
    // What was shown before it was presented; a line that was begun goes first.
    this.#isArmed = this.#line.text === '';
    this.screen.refresh();
    const given = await question.answered;
    this.#question = undefined;
    this.#isArmed = false;
    this.#stopArming();
    this.screen.print([question.echo(given)]);
    return given;
  }

  /** What is typed behind an answer is no part of it. */
  #answer(question: ConsoleQuestion, answer: string | undefined): void {
    this.#isArmed = false;
    question.answerWith(answer);
  }

  /** Lets a question have the keys, once none was pressed for as long as it takes to read, and the line is empty. */
  #arm(): void {
    this.#stopArming();
    this.screen.refresh();
    if (this.#line.text !== '') return;
    this.#stopArming = this.#clock.after(readingMs, () => {
      // What the terminal has by now is read before this: it was typed earlier.
      setImmediate(() => {
        if (this.#line.text !== '') return;
        this.#isArmed = this.#question !== undefined;
        this.#presented?.();
        this.screen.refresh();
      });
    });
  }

  #take(typed: readonly Typed[]): void {
    const question = this.#isArmed ? this.#question : undefined;
    if (question?.asked.kind === 'key') this.#answerKey(question, typed);
    else if (!this.#discards(typed)) for (const each of typed) this.#takeOne(each);
    if (!this.#isArmed && (this.#question !== undefined || this.#presented !== undefined)) this.#arm();
    this.#completion.look(this.#line.text, this.#line.cursor);
    this.screen.refresh();
  }

  #discards(typed: readonly Typed[]): boolean {
    return this.#presented !== undefined && this.#discardsEarly && !typed.some((key) => isControl(key, 'c'));
  }

  /** A key that is no answer, and all that came at once, begin a line. */
  #answerKey(question: ConsoleQuestion, typed: readonly Typed[]): void {
    const [key, enter] = typed;
    const isOne = typed.length === 1 || (typed.length === 2 && enter !== undefined && isEnter(enter));
    if (isOne && key?.kind === 'key') {
      if (isControl(key, 'c')) interrupt();
      if (isControl(key, 'c') || isControl(key, 'd')) return this.#answer(question, undefined);
      if (isEnter(key) || key.name === 'escape') return this.#answer(question, '');
      if (!key.isControl && !key.isMeta && question.asked.isAnswer?.(key.text) === true) {
        this.#isAnswering = true;
        setImmediate(() => {
          this.#isAnswering = false;
        });
        return this.#answer(question, key.text);
      }
    }
    this.#isArmed = false;
    for (const each of typed) this.#takeOne(each);
  }

  #takeOne(typed: Typed): void {
    const question = this.#isArmed ? this.#question : undefined;
    const editor = question?.answer ?? this.#line;
    const wasLeaving = this.#isLeaving;
    this.#isLeaving = false;
    if (typed.kind === 'paste') editor.insert(typed.text);
    else if (isControl(typed, 'c')) this.#interrupted(wasLeaving);
    else if (isControl(typed, 'd') && editor.text === '') {
      if (question === undefined) this.#leaveSoon();
      else this.#answer(question, undefined);
    } else if (isControl(typed, 'z')) stopProcess(this.#release());
    else if (isControl(typed, 'l')) this.screen.aside(() => this.#options.stream.write('\u001b[H\u001b[2J'));
    else if (typed.name === 'tab' && question === undefined) this.#tab();
    else if (typed.name === 'escape') this.#completion.close();
    else if (isEnter(typed)) this.#enter(editor, typed, question);
    else editor.press(typed);
  }

  #enter(editor: LineEditor, { isMeta }: TypedKey, question: ConsoleQuestion | undefined): void {
    const isContinued = editor.text.slice(0, editor.cursor).endsWith('\\');
    if (question === undefined && (isMeta || isContinued)) {
      editor.replaceBefore(isMeta ? 0 : 1, '\n');
      return;
    }
    if (question !== undefined) {
      this.#answer(question, editor.submit());
      return;
    }
    if (this.#onLine !== undefined) {
      this.#collect(this.#onLine, true);
      return;
    }
    const { queue } = this.#options;
    const line = editor.submit();
    if (this.#asking === undefined) {
      // It was typed before it was asked for.
      if (line.trim() !== '') queue.add(line);
    } else {
      if (line.trim() === '' && queue.isHeld) queue.release();
      if (line.trim() === '' && this.#takeQueued((queued) => this.#settle(queued))) return;
      this.#echo(line);
      this.#settle(line);
    }
  }

  /** Completes the line; where there is nothing to complete and a turn runs, the line waits for its end. */
  #tab(): void {
    if (this.#onLine === undefined || this.#completion.rows.length > 0) this.#completion.accept(this.#line);
    else this.#collect(this.#onLine, false);
  }

  #collect(onLine: LineListener, isSent: boolean): void {
    const line = this.#line.submit();
    if (line.trim() === '') return;
    const draft = onLine(line, isSent);
    if (draft !== undefined) this.#line.insert(draft);
  }

  #interrupted(wasLeaving: boolean): void {
    if (this.#asking === undefined || this.#onLine !== undefined || this.#question !== undefined) {
      const question = this.#question;
      interrupt();
      if (question !== undefined) this.#answer(question, undefined);
      return;
    }
    if (this.#line.text !== '') this.#echo(this.#line.clear(), '^C');
    else if (wasLeaving) this.leave();
    else this.#isLeaving = !this.#options.stopBackground();
  }

  #leaveSoon(): void {
    const { onLeaveTurn } = this.#options;
    this.#hasLeft = true;
    if (this.#onLine !== undefined && onLeaveTurn === undefined) return;
    this.leave();
    onLeaveTurn?.();
  }
}
