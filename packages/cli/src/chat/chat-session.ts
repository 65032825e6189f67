import type { AvailableCommand, ToolCallUpdate } from '@parley/acp';
import type { AgentSession, HeldBy, HostEvent } from '@parley/host';
import { subagentOf, type SessionState } from '@parley/host/state';
import { explainModel } from '../conversation/requested-session.ts';
import { markdownView } from '../markdown/message-view.ts';
import { isShown, type Output, type ShownPrompt, type ShownSteering } from '../output/output.ts';
import { toPlainLine } from '../output/plain.ts';
import type { Style } from '../output/style.ts';
import { createTextOutput } from '../output/text.ts';
import { toResultLines, toToolTitle } from '../output/tool-call-text.ts';
import { toPromptLines, toSteeringRemark } from '../output/update-text.ts';
import type { Writer } from '../output/writer.ts';
import { subagentBody } from '../sessions/text/conversation-text.ts';
import type { Screen } from '../terminal/live-screen.ts';
import { toRestartText } from './restart-text.ts';
import { modelsOf, modesOf, showOffer, toStatus, type Offer } from './settings-text.ts';
import { SubagentFolds } from './subagent-folds.ts';
import { TurnActivity } from './turn-activity.ts';

/** Where a chat is shown. */
export interface ChatSessionOptions {
  readonly writer: Writer;
  readonly style: Style;
  /** See `TextOptions`. */
  readonly isScreen: boolean;
  /** See `TextOptions`. */
  readonly isShared: boolean;
  /** Where messages are shown as Markdown. @default nowhere */
  readonly screen?: Screen;
  readonly log: (message: string) => void;
}

/** The session of a chat: one at a time, and one turn at a time in it. */
export class ChatSession {
  readonly #options: ChatSessionOptions;
  readonly #activity = new TurnActivity();
  #session: AgentSession | undefined;
  #sessionId: string | undefined;
  #cwd: string | undefined;
  #sandbox: HeldBy | undefined;
  #spokenIn: string | undefined;
  #output: Output;
  #commands: readonly AvailableCommand[] = [];
  #queue: 'here' | 'hub' = 'here';
  #turn: 'none' | 'running' | 'cancelled' = 'none';
  /** Sub-agents that continued after the last turn were cancelled. */
  #hasCancelledSubagents = false;
  #folds = new SubagentFolds();
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

  /** The folder of the session. */
  get cwd(): string | undefined {
    return this.#cwd;
  }

  /** The session in which something was said, as the agent calls it: the last one of them. */
  get spokenIn(): string | undefined {
    return this.#spokenIn;
  }

  /**
   * Opens a session in place of the one before, if there is one.
   *
   * @param queue Where prompts wait for the end of a turn.
   */
  async open(open: () => Promise<AgentSession>, queue: 'here' | 'hub' = 'here'): Promise<void> {
    const before = this.#session;
    this.#queue = queue;
    this.#commands = [];
    this.#lastCall = undefined;
    this.#folds = new SubagentFolds();
    this.#output = this.#newOutput();
    this.#session = await open();
    // The old one is done with; an agent which cannot close it keeps it, and that is its business.
    await before?.close().catch(() => undefined);
  }

  /** Mode, model and sandbox, in one line; undefined without a session that has them. */
  get status(): string | undefined {
    const session = this.#session;
    if (session === undefined) return undefined;
    const status = toStatus(session, this.#sandbox);
    if (!session.hasWorkingSubagents) return status;
    return [...(status === undefined ? [] : [status]), 'sub-agents work, Ctrl-C stops them'].join(' · ');
  }

  /** What runs and how long, in one line; undefined while no turn runs. */
  get activity(): string | undefined {
    if (this.#turn === 'none') return undefined;
    return this.#activity.text({
      isStopping: this.#turn === 'cancelled',
      takesSteering: this.#session?.takesSteering === true,
    });
  }

  /** Runs one turn, and shows how it ended when that is not the usual way. Returns whether it was cancelled. */
  async prompt(text: string): Promise<boolean> {
    this.#turn = 'running';
    this.#hasCancelledSubagents = false;
    this.#activity.begin();
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

  /** Sends text into the running turn, where the agent takes it; `false` when it has to be queued. */
  async steer(text: string): Promise<boolean> {
    const session = this.#session;
    if (this.#turn !== 'running' || session?.takesSteering !== true) return false;
    const outcome = await session.steer([{ type: 'text', text }]);
    if (outcome === 'queued' && this.#queue === 'here') return false;
    const { writer, style } = this.#options;
    await this.#output.makeRoom();
    // What is queued is shown with its own turn.
    if (outcome !== 'queued') writer.write(`${toPromptLines(text, style)}\n`);
    this.remark(toSteeringRemark(outcome));
    return true;
  }

  /** Whether a turn runs, or a prompt waits for its turn. */
  get isBusy(): boolean {
    return this.#turn !== 'none';
  }

  /** Shows the prompt of another client, or text that it sent into the turn. */
  showPrompt(prompt: ShownPrompt | ShownSteering): void {
    void this.#output.event(prompt);
  }

  /** Shows the turn of another client, which Ctrl-C stops too. Call what this returns when it has ended. */
  showTurn(): () => Promise<void> {
    this.#turn = 'running';
    this.#activity.begin();
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

  /** Cancels the sub-agents that work, or may, while no turn runs; `false` where none does, or they were cancelled already. */
  cancelSubagents(): boolean {
    const session = this.#session;
    if (this.#turn !== 'none' || this.#hasCancelledSubagents) return false;
    if (session === undefined || !(session.hasWorkingSubagents || session.mayCancelSubagents)) return false;
    this.#hasCancelledSubagents = true;
    session.cancel().catch(() => undefined);
    this.remark('cancelling the sub-agents');
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
    const session = this.#opened();
    await session.setModel(id).catch((error: unknown) => {
      throw explainModel(error, { model: id, session });
    });
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

  /**
   * Lists the sub-agents, a line each; unfolds the one of a number, or folds it again; or cancels it. Returns the message for the user.
   *
   * @param history The session as it is stored.
   * @throws {HostError} The agent does not allow cancelling it.
   */
  subagents(words: string, history: SessionState | undefined): string {
    const { style } = this.#options;
    if (history !== undefined) this.#folds.know(history);
    if (words === '') {
      const lines = this.#folds.list();
      return lines.length === 0 ? 'This session has no sub-agents.\n' : `${lines.join('\n')}\n`;
    }
    const [, stop, number = ''] = /^(stop\s+)?(.*)$/su.exec(words) ?? [];
    const found = this.#folds.idOf(Number(number));
    if (found === undefined) return `no sub-agent ${toPlainLine(number)}; /subagents lists them\n`;
    if (stop !== undefined) {
      this.#opened().cancelSubagent(found);
      return `Cancelling sub-agent ${number}.\n`;
    }
    const toggled = this.#folds.toggle(found);
    if (toggled === undefined) return '';
    const { line, isUnfolded } = toggled;
    const subagent = history && isUnfolded ? subagentOf(history, found) : undefined;
    const body = history && subagent ? subagentBody(subagent, { style, root: history }) : '';
    return body === '' ? `${line}\n` : `${line}\n${body}\n`;
  }

  /** Shows a remark of the chat's own, on a line of its own. */
  remark(text: string): void {
    const { writer, style } = this.#options;
    void this.#output.makeRoom().then(() => {
      writer.write(style.dim(`(${text})\n`));
    });
  }

  /** Finishes what is being written, as a question is about to be shown. */
  makeRoom(): Promise<void> {
    return this.#output.makeRoom();
  }

  /** Shows what happens. A promise asks the agent to wait. */
  take(event: HostEvent): Promise<void> | undefined {
    if (event.type === 'session') {
      this.#sessionId = event.sessionId;
      this.#cwd = event.cwd;
      this.#sandbox = event.sandbox;
      return undefined;
    }
    const restart = toRestartText(event);
    if (restart !== undefined) {
      return this.#output.event({ type: 'diagnostic', level: 'warning', code: event.type, message: restart });
    }
    this.#activity.takeQuestion(event);
    if (!isShown(event)) return undefined;
    // What a session that was left behind still says is not part of this one.
    if ('sessionId' in event && event.sessionId !== this.#sessionId) return undefined;
    if (event.type === 'update' && event.subagent === undefined) {
      const { view } = event;
      this.#activity.take(view);
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
    const { writer, style, isScreen, isShared, screen, log } = this.#options;
    return createTextOutput({
      ...(screen !== undefined && isScreen && { messages: markdownView(screen, style) }),
      writer,
      style,
      isScreen,
      isShared,
      warn: log,
      subagents: this.#folds,
      onEnded: (call) => {
        this.#lastCall = call;
      },
    });
  }
}
