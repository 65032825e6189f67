import type { AvailableCommand, ToolCallUpdate } from '@parley/acp';
import type { HostEvent, AgentSession } from '@parley/host';
import { isShown, type Output, type ShownPrompt } from '../output/output.ts';
import { toPlainLine } from '../output/plain.ts';
import type { Style } from '../output/style.ts';
import { createTextOutput } from '../output/text.ts';
import { toResultLines, toToolTitle } from '../output/tool-call-text.ts';
import type { Writer } from '../output/writer.ts';
import { toRestartText } from './restart-text.ts';
import { modelsOf, modesOf, showOffer, type Offer } from './settings-text.ts';

/** Where a chat is shown. */
export interface ChatSessionOptions {
  readonly writer: Writer;
  readonly style: Style;
  /** See `TextOptions`. */
  readonly isScreen: boolean;
  readonly log: (message: string) => void;
}

/** The session of a chat: one at a time, and one turn at a time in it. */
export class ChatSession {
  readonly #options: ChatSessionOptions;
  #session: AgentSession | undefined;
  #sessionId: string | undefined;
  #spokenIn: string | undefined;
  #output: Output;
  #commands: readonly AvailableCommand[] = [];
  #turn: 'none' | 'running' | 'cancelled' = 'none';
  /** The tool call that ended last. */
  #lastCall: ToolCallUpdate | undefined;

  constructor(options: ChatSessionOptions) {
    this.#options = options;
    this.#output = this.#newOutput();
  }

  /** The slash commands that the agent offers. */
  get commands(): readonly AvailableCommand[] {
    return this.#commands;
  }

  /** The session in which something was said, as the agent calls it: the last one of them. */
  get spokenIn(): string | undefined {
    return this.#spokenIn;
  }

  /** Opens a session in place of the one before, if there is one. */
  async open(open: () => Promise<AgentSession>): Promise<void> {
    const before = this.#session;
    this.#commands = [];
    this.#lastCall = undefined;
    this.#session = await open();
    // The old one is done with; an agent which cannot close it keeps it, and that is its business.
    await before?.close().catch(() => undefined);
  }

  /** Runs one turn, and says how it ended when that is not the usual way. Gives whether it was cancelled. */
  async prompt(text: string): Promise<boolean> {
    this.#turn = 'running';
    this.#spokenIn = this.#sessionId;
    try {
      const { stopReason, rawStopReason = stopReason } = await this.#opened().prompt([
        { type: 'text', text },
      ]);
      await this.#output.makeRoom();
      if (stopReason !== 'end_turn') {
        this.#options.writer.write(this.#options.style.dim(`(${toPlainLine(rawStopReason)})\n`));
      }
      return stopReason === 'cancelled';
    } finally {
      await this.#output.makeRoom();
      this.#output = this.#newOutput();
      this.#turn = 'none';
    }
  }

  /** Whether a turn runs, or a prompt waits for its turn. */
  get isBusy(): boolean {
    return this.#turn !== 'none';
  }

  /** Shows the prompt of another client. */
  showPrompt(prompt: ShownPrompt): void {
    void this.#output.event(prompt);
  }

  /** Shows the turn of another client, which Ctrl-C stops too. Call what it gives back when it has ended. */
  showTurn(): () => Promise<void> {
    this.#turn = 'running';
    return async () => {
      await this.#output.makeRoom();
      this.#output = this.#newOutput();
      this.#turn = 'none';
    };
  }

  /** Cancels the running turn; `false` when there is none, or it was cancelled already. */
  cancel(): boolean {
    if (this.#turn !== 'running') return false;
    this.#turn = 'cancelled';
    // How the turn ends, the prompt says.
    this.#session?.cancel().catch(() => undefined);
    return true;
  }

  /** Ends a running turn without waiting for the agent. */
  abandon(): void {
    if (this.#turn !== 'none') this.#session?.cancel({ graceMs: 0 }).catch(() => undefined);
  }

  /** Changes to a mode, or lists them. Returns the message for the user. */
  async chooseMode(id?: string): Promise<string> {
    if (id === undefined) return showOffer(modesOf(this.#opened()));
    await this.#opened().setMode(id);
    return `mode: ${id}\n`;
  }

  /** Changes to a model, or lists them. Returns the message for the user. */
  async chooseModel(id?: string): Promise<string> {
    if (id === undefined) return showOffer(this.models());
    await this.#opened().setModel(id);
    return `model: ${id}\n`;
  }

  /** The models there are, and the one that answers. */
  models(): Offer {
    return modelsOf(this.#opened());
  }

  /** All that the last tool call came to, of which the chat showed a part. */
  lastResult(): string {
    const call = this.#lastCall;
    if (call === undefined) return 'No tool call has ended yet.\n';
    const lines = toResultLines(call, this.#options.style, 'whole').map((line) => `    ${line}`);
    return `${[`• ${toToolTitle(call)}`, ...lines].join('\n')}\n`;
  }

  /** Shows a remark of the chat's own, on a line of its own. */
  remark(text: string): void {
    const { writer, style } = this.#options;
    void this.#output.makeRoom().then(() => {
      writer.write(style.dim(`(${text})\n`));
    });
  }

  /** The user types on the same screen: what is written ends its line, and waits. See `Writer.hold`. */
  giveWay(onWanted: () => void): () => void {
    void this.#output.makeRoom();
    return this.#options.writer.hold(onWanted);
  }

  /** Finishes what is being written, as a question is about to be shown. */
  makeRoom(): Promise<void> {
    return this.#output.makeRoom();
  }

  /** Shows what happens. A promise asks the agent to wait. */
  take(event: HostEvent): Promise<void> | undefined {
    if (event.type === 'session') {
      this.#sessionId = event.sessionId;
      return undefined;
    }
    const restart = toRestartText(event);
    if (restart !== undefined) {
      return this.#output.event({ type: 'diagnostic', level: 'warning', code: event.type, message: restart });
    }
    if (!isShown(event)) return undefined;
    // What a session that was left behind still says is not part of this one.
    if ('sessionId' in event && event.sessionId !== this.#sessionId) return undefined;
    if (event.type === 'update') {
      const { view } = event;
      if (view.sessionUpdate === 'available_commands_update') this.#commands = view.availableCommands;
      // Between turns the user changed the mode, which is confirmed.
      if (view.sessionUpdate === 'current_mode_update' && this.#turn === 'none') return undefined;
    }
    return this.#output.event(event);
  }

  #opened(): AgentSession {
    if (this.#session === undefined) throw new Error('no session is open');
    return this.#session;
  }

  #newOutput(): Output {
    const { writer, style, isScreen, log } = this.#options;
    return createTextOutput({
      writer,
      style,
      isScreen,
      warn: log,
      onEnded: (call) => {
        this.#lastCall = call;
      },
    });
  }
}
