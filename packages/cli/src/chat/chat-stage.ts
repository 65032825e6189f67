import { ReadStream } from 'node:tty';
import { CliError } from '../cli-error.ts';
import { Ending } from '../conversation/ending.ts';
import { toPlainText } from '../output/plain.ts';
import { sharesOutput } from '../output/shares-output.ts';
import { createStyle, type Style } from '../output/style.ts';
import { createWriter, type Writer } from '../output/writer.ts';
import {
  createTerminalUser,
  type TerminalUser,
  type TerminalUserOptions,
} from '../question/terminal-user.ts';
import { createTerminal, type Terminal } from '../question/terminal.ts';
import type { Surroundings } from '../surroundings.ts';
import { ChatSession } from './chat-session.ts';
import { ChatConsole } from './console/chat-console.ts';
import { completeIn } from './console/complete-in.ts';
import { pipedLines, type LineSource } from './console/line-source.ts';
import { PromptQueue } from './prompt-queue.ts';
import { listenForChatSignals } from './signals.ts';
import { talk, type Talk } from './talk.ts';

/** Options of {@link ChatStage}. */
export interface ChatStageOptions {
  /** Takes secrets out of messages. @default there are none */
  readonly redact?: (text: string) => string;
  /** Turns continue without this terminal: leaving does not wait for their end. @default false */
  readonly leavesTurns?: boolean;
}

/** What a chat needs of this process: input, output and signals, and the session that is shown on them. */
export class ChatStage implements Disposable {
  /** A user types, and reads what is asked. */
  readonly isTerminal: boolean;
  readonly isScreen: boolean;
  readonly ending: Ending = new Ending();
  readonly queue: PromptQueue = new PromptQueue();
  readonly session: ChatSession;
  readonly style: Style;
  readonly terminal: Terminal;
  readonly writer: Writer;
  /** Aborted when the user leaves a turn that continues without this terminal. */
  readonly left: AbortSignal;
  readonly #surroundings: Surroundings;
  readonly #leaving = new AbortController();
  readonly #leaveTurn: (() => void) | undefined;
  readonly #redact: (text: string) => string;
  readonly #signals: Disposable;
  readonly #console: ChatConsole | undefined;

  constructor(
    surroundings: Surroundings,
    { redact = (text) => text, leavesTurns = false }: ChatStageOptions = {},
  ) {
    const { stdin, stdout, stderr, env } = surroundings;
    this.#surroundings = surroundings;
    this.#redact = redact;
    this.left = this.#leaving.signal;
    this.#leaveTurn = leavesTurns
      ? () => {
          this.#leaving.abort();
        }
      : undefined;
    this.isTerminal = stdin.isTTY === true && stderr.isTTY === true;
    this.isScreen = stdout.isTTY === true;
    this.style = createStyle(this.isScreen, env);
    this.#console = this.#openConsole();
    const screen = this.#console?.screen;
    this.writer = screen ?? createWriter(stdout);
    this.writer.closed.addEventListener('abort', () => {
      this.ending.begin(new CliError('output-closed', 'the reader closed the output'));
    });
    const { writer, style, isScreen } = this;
    this.session = new ChatSession({
      writer,
      style,
      isScreen,
      isShared: sharesOutput(surroundings),
      log: this.log,
      ...(screen !== undefined && !this.#isDumb && { screen }),
    });
    this.terminal = this.#console ?? createTerminal(stdin, stderr);
    this.#signals = listenForChatSignals(this.session, this.ending, this.#leaveTurn);
  }

  /** Writes a message to standard error. */
  readonly log = (message: string): void => {
    const line = `parley: ${toPlainText(this.#redact(message))}\n`;
    const write = (): void => {
      this.#surroundings.stderr.write(line);
    };
    if (this.#console === undefined) write();
    else this.#console.screen.aside(write);
  };

  /** The lines that are typed or piped in, until the signal is aborted. */
  openLines(signal: AbortSignal): LineSource {
    const lines = this.#console;
    if (lines === undefined) return pipedLines(this.#surroundings.stdin, signal);
    signal.addEventListener('abort', () => {
      lines.leave();
    });
    return lines;
  }

  /** How text of the chat itself is shown. */
  showing(): Pick<Talk, 'say' | 'style' | 'columns'> {
    return {
      say: (text) => {
        this.writer.write(text);
      },
      style: this.style,
      columns: () => this.terminal.columns,
    };
  }

  /** The user at the terminal, who is asked between the lines. */
  createUser(asking: Pick<TerminalUserOptions, 'agentName' | 'onQuestion' | 'takesReason'>): TerminalUser {
    const { terminal } = this;
    const style = createStyle(true, this.#surroundings.env);
    return createTerminalUser({
      terminal,
      style,
      makeRoom: () => this.session.makeRoom(),
      // As the prompt after this turn.
      onFeedback: (feedback) => {
        this.queue.add(feedback);
      },
      ...asking,
    });
  }

  /** Answers line after line until there is none. */
  talk(
    talking: Omit<Talk, keyof ReturnType<ChatStage['showing']> | 'queue' | 'flush' | 'complain' | 'confirm'>,
  ): Promise<void> {
    return talk(this.session, {
      ...talking,
      ...this.showing(),
      queue: this.queue,
      flush: () => this.writer.flush(),
      complain: this.log,
      confirm: async (question) => {
        if (!this.isTerminal) return true;
        await this.writer.flush();
        const answer = await this.terminal.ask(`${question} [y/N] `, this.ending.begun);
        return /^\s*y(?:es)?\s*$/iu.test(answer ?? '');
      },
    });
  }

  [Symbol.dispose](): void {
    this.#console?.[Symbol.dispose]();
    this.#signals[Symbol.dispose]();
  }

  get #isDumb(): boolean {
    return this.#surroundings.env['TERM'] === 'dumb';
  }

  #openConsole(): ChatConsole | undefined {
    const { stdin, stdout, stderr, env, cwd } = this.#surroundings;
    if (!this.isTerminal || !(stdin instanceof ReadStream)) return undefined;
    return new ChatConsole({
      input: stdin,
      stream: this.isScreen ? stdout : stderr,
      ...(!this.isScreen && { elsewhere: createWriter(stdout) }),
      isDumb: this.#isDumb,
      style: createStyle(true, env),
      queue: this.queue,
      status: () => this.session.status,
      activity: () => this.session.activity,
      stopBackground: () => this.session.cancelSubagents(),
      complete: completeIn(() => this.session, cwd),
      ...(this.#leaveTurn !== undefined && { onLeaveTurn: this.#leaveTurn }),
    });
  }
}
