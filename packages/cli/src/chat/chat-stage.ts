import { CliError } from '../cli-error.ts';
import { Ending } from '../conversation/ending.ts';
import { toPlainText } from '../output/plain.ts';
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
import { pipedLines, typedLines, type LineSource } from './line-source.ts';
import { PromptQueue } from './prompt-queue.ts';
import { listenForChatSignals } from './signals.ts';
import { talk, type Talk } from './talk.ts';

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
  readonly #surroundings: Surroundings;
  readonly #redact: (text: string) => string;
  readonly #signals: Disposable;

  /** @param redact Takes secrets out of messages. @default there are none */
  constructor(surroundings: Surroundings, redact: (text: string) => string = (text) => text) {
    const { stdin, stdout, stderr, env } = surroundings;
    this.#surroundings = surroundings;
    this.#redact = redact;
    this.isTerminal = stdin.isTTY === true && stderr.isTTY === true;
    this.isScreen = stdout.isTTY === true;
    this.writer = createWriter(stdout);
    this.writer.closed.addEventListener('abort', () => {
      this.ending.begin(new CliError('output-closed', 'the reader closed the output'));
    });
    this.style = createStyle(this.isScreen, env);
    const { writer, style, isScreen } = this;
    this.session = new ChatSession({ writer, style, isScreen, log: this.log });
    this.terminal = createTerminal(stdin, stderr);
    this.#signals = listenForChatSignals(this.session, this.ending);
  }

  /** Writes a message to standard error. */
  readonly log = (message: string): void => {
    this.#surroundings.stderr.write(`parley: ${toPlainText(this.#redact(message))}\n`);
  };

  /** The lines that are typed or piped in, until the signal is aborted. */
  openLines(signal: AbortSignal): LineSource {
    const { stdin, stdout, stderr, env } = this.#surroundings;
    if (!this.isTerminal) return pipedLines(stdin, signal);
    return typedLines(stdin, {
      output: this.isScreen ? stdout : stderr,
      prompt: '> ',
      isDumb: env['TERM'] === 'dumb',
      queue: this.queue,
      giveWay: (onWanted) => this.session.giveWay(onWanted),
      signal,
    });
  }

  /** The user at the terminal, who is asked between the lines. */
  createUser(asking: Pick<TerminalUserOptions, 'agentName' | 'onQuestion'>): TerminalUser {
    const { terminal } = this;
    const style = createStyle(true, this.#surroundings.env);
    return createTerminalUser({ terminal, style, makeRoom: () => this.session.makeRoom(), ...asking });
  }

  /** Answers line after line until there is none. */
  talk(talking: Omit<Talk, 'queue' | 'flush' | 'say' | 'complain' | 'confirm'>): Promise<void> {
    return talk(this.session, {
      ...talking,
      queue: this.queue,
      flush: () => this.writer.flush(),
      say: (text) => {
        this.writer.write(text);
      },
      complain: this.log,
      confirm: async (question) => {
        if (!this.isTerminal) return true;
        await this.writer.flush();
        const release = talking.lines.hold();
        try {
          const answer = await this.terminal.ask(`${question} [y/N] `, this.ending.begun);
          return /^\s*y(?:es)?\s*$/iu.test(answer ?? '');
        } finally {
          release();
        }
      },
    });
  }

  [Symbol.dispose](): void {
    this.#signals[Symbol.dispose]();
  }
}
