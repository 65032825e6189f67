import { invalidRequest, type McpServer, type SessionConfigOption } from '@parley/acp';
import type { CancelOptions } from '../agent-session/agent-session.ts';
import type { AgentConnection } from '../agent/agent-connection.ts';
import type { AgentSpec } from '../agent/agent-spec.ts';
import type { SlotUser } from '../agent/pool/agent-pool.ts';
import { SessionChanges } from '../changes/session-changes.ts';
import { eventBytes } from '../event/event-bytes.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { Sender } from '../event/sender.ts';
import { frameRedactor } from '../frames/frame-redactor.ts';
import { HostError } from '../host-error.ts';
import type { HubAnswer, HubQuestion, SettledQuestion } from '../hub/hub-question.ts';
import type { HubSession } from '../hub/hub-session.ts';
import { redactSettings } from '../redaction/redact-settings.ts';
import type { Redaction } from '../redaction/redaction.ts';
import { FactReader } from '../state/fact-reader.ts';
import { canFork, type SessionFacts } from '../state/session-facts.ts';
import { askClients } from './ask-clients.ts';
import { ContinuedSession } from './continued-session.ts';
import { passOn, type ExtensionCall } from './extension-call.ts';
import { LiveTerminals, type TerminalText } from './live-terminals.ts';
import { OpenQuestions } from './open-questions.ts';
import {
  deliver,
  startChosenRun,
  startRun,
  takesReason,
  type AgentRun,
  type AgentRunOptions,
} from './run/agent-run.ts';
import { OnDemandAgent } from './run/on-demand-agent.ts';
import { SessionLife } from './run/session-life.ts';
import { setOption, settingsOf, type OfferedSettings } from './run/set-option.ts';
import { SessionSignIn } from './run/sign-in.ts';
import { SessionFork } from './session-fork.ts';
import type { SessionOptions } from './session-options.ts';
import { SessionSubagents } from './session-subagents.ts';
import { SessionTurns } from './session-turns.ts';
import { shownSession } from './shown-session.ts';
import { UserNotes } from './user-notes.ts';

/** A session that is steered from here: its queue, its questions, and an agent while it needs one. */
export class Session implements SlotUser {
  readonly sessionId: string;
  readonly turns: SessionTurns;
  readonly #options: SessionOptions;
  readonly #terminals: LiveTerminals;
  readonly #onDemand: OnDemandAgent;
  readonly #questions: OpenQuestions;
  /** What its turns changed: listed, undone, reviewed, committed. */
  readonly changes: SessionChanges;
  readonly #facts = new FactReader();
  #appendedBytes = 0;
  readonly #life: SessionLife;
  /** Its queue and title, as they are stored. */
  readonly notes: UserNotes;
  readonly #continued: ContinuedSession;
  readonly #forking: SessionFork;
  readonly #signIn: SessionSignIn;
  /** Those that its agent has, and delegates. */
  readonly subagents: SessionSubagents;
  /** Its own, or that of the stored session that it continues. */
  #storedKey: string;

  constructor(options: SessionOptions) {
    const { key, notes, limits, runtime } = options;
    const onFault = (error: unknown): void => runtime.onFault?.(error);
    this.sessionId = key;
    this.#storedKey = key;
    this.#options = options;
    this.#continued = new ContinuedSession(options, () => this.facts);
    this.#questions = new OpenQuestions(
      limits.questions,
      (settled) => {
        this.#followQuestions(settled);
      },
      (question) => options.refuses?.(question, this.turns.isUnattended) === true,
    );
    const onTerminal = options.onTerminal ?? ((): void => undefined);
    this.#terminals = new LiveTerminals(limits.terminalLength, () => this.redaction, onTerminal);
    this.#life = new SessionLife(options, {
      facts: () => this.facts,
      terminals: this.#terminals,
      agent: () => this.#onDemand,
    });
    this.#signIn = new SessionSignIn({
      key,
      variables: options.variables,
      ask: options.askSignIn ?? ((question, _agent, signal) => this.#questions.askSignIn(question, signal)),
      ...(options.onSignIn !== undefined && { onState: options.onSignIn }),
    });
    this.changes = new SessionChanges({
      key: () => this.#storedKey,
      eventLogs: runtime.eventLogs,
      settingsIn: (cwd) => runtime.changesIn?.(cwd),
      folder: () => options.cwd,
      deliver: (pending) => deliver(pending, this.#storedKey, this.#onDemand.run),
    });
    this.notes = new UserNotes({
      stored: { key, notes, store: runtime.eventLogs.store },
      queue: () => this.turns.queue,
      onChange: () => options.onChange?.(),
      onFault,
    });
    this.#onDemand = new OnDemandAgent({
      user: this,
      pool: runtime.pool,
      start: (signal) => this.#start(signal),
      isNeeded: () => this.#isActive,
      onState: (state, failure) => this.#life.become(state, failure),
      // Later than at its beginning clients see that it waits; the model that delegated does not.
      waitMs: () =>
        this.agentSessionId === undefined || options.parent !== undefined ? options.slotWaitMs : undefined,
      onAhead: (ahead) => this.#life.waitBehind(ahead),
      onWait: (waitMs) => {
        // The turn may have been cancelled before its agent's start began.
        if (this.turns.isCancelled) this.#onDemand.abandonStart();
        else options.onSlotWait?.(waitMs);
      },
    });
    this.#forking = new SessionFork(this.#onDemand, () => canFork(this.facts));
    this.subagents = new SessionSubagents(options, {
      run: () => this.#onDemand.run,
      questions: this.#questions,
      redaction: () => this.redaction,
      isUnattended: () => this.turns.isUnattended,
      onWork: () => {
        this.#attend();
      },
    });
    this.turns = new SessionTurns({
      onDemand: this.#onDemand,
      subagents: this.subagents,
      limits,
      kept: notes.queue,
      onQueue: () => {
        this.notes.changed();
      },
      onFault,
    });
  }

  get questions(): readonly HubQuestion[] {
    return this.#questions.all;
  }

  /** The end of what the agent wrote to standard error. */
  get log(): string {
    return this.#life.log;
  }

  /** What its commands that run have written. */
  get terminals(): readonly TerminalText[] {
    return this.#terminals.whole;
  }

  /** How its agent is reached; undefined for one that cannot be started here. */
  get spec(): AgentSpec | undefined {
    return this.#options.spec;
  }

  get shown(): HubSession {
    return shownSession(this.#options, {
      title: this.notes.title,
      facts: this.facts,
      life: this.#life,
      questions: this.#questions,
      queue: this.turns.queue,
    });
  }

  /** The id of the token that it belongs to; undefined when it belongs to `admin` only. */
  get owner(): string | undefined {
    return this.#options.owner;
  }

  /** What its agent calls it; undefined before the agent has said so. */
  get agentSessionId(): string | undefined {
    return this.#continued.id;
  }

  /** About how many bytes its events have that were appended here. */
  get appendedBytes(): number {
    return this.#appendedBytes;
  }

  /** What its events come to, once its event log was opened here. */
  get facts(): SessionFacts {
    return this.#facts.facts;
  }

  /** Starts the agent, unless it runs, and opens the session with it. Gives what the agent answered, and its settings as they are now. */
  open(): Promise<OfferedSettings> {
    return this.#onDemand.use(({ session }) => {
      const { sessionId: _own, ...opened } = this.redaction.fields({ ...session.opened });
      return Promise.resolve({ ...opened, ...redactSettings(settingsOf(session), this.redaction) });
    });
  }

  /** Brings MCP servers along: an agent that does nothing is ended, and gets them when it is started again. */
  async bring(servers: readonly McpServer[]): Promise<void> {
    if (this.#continued.bring(servers)) await this.renew();
  }

  /** Ends an idle agent, which is restarted on use. */
  async renew(): Promise<void> {
    if (!this.#isActive) await this.#onDemand.end();
  }

  /** Passes something on that is not part of the protocol. @throws {RpcError} */
  passOn(call: ExtensionCall): Promise<object> {
    return this.#onDemand.use((run) => passOn(call, run, this.sessionId, this.redaction));
  }

  /** Whether no agent runs, is being started, or is being ended. */
  get isAtRest(): boolean {
    return this.#onDemand.isGone;
  }

  /** The agent and its session, while it runs. */
  get run(): AgentRun | undefined {
    return this.#onDemand.run;
  }

  /** Does with the agent what is no command of its own. It is started, unless it runs. */
  use<T>(work: (run: AgentRun) => Promise<T>): Promise<T> {
    return this.#onDemand.use(work);
  }

  setMode(modeId: string): Promise<void> {
    return this.#onDemand.use(({ session }) => session.setMode(modeId));
  }

  setOption(id: string, value: string | boolean): Promise<readonly SessionConfigOption[]> {
    return this.#onDemand.use(async ({ session }) => {
      const configOptions = await setOption(session, id, value);
      return redactSettings({ configOptions }, this.redaction).configOptions ?? [];
    });
  }

  /** @throws {RpcError} -32002: another client has answered, or it is no longer needed. */
  answer(requestId: string, answer: HubAnswer, by: Sender): void {
    this.#questions.answer(requestId, answer, by);
  }

  /** Without a title, it is called what it was called before. */
  rename(title: string | undefined): void {
    this.notes.retitle(title, this.#onDemand.run);
  }

  /** Has the agent archive the session, where it offers that, runs and does nothing; it is ended then. */
  async archive(): Promise<void> {
    if (this.run !== undefined && !this.#isActive && (await this.notes.archive(this.run))) await this.renew();
  }

  /** Has the agent make a session that begins as this one is; gives its id. @throws {RpcError} It cannot, or a turn runs. */
  async fork(): Promise<string> {
    if (this.turns.isBusy) throw invalidRequest('session/fork: a turn is running');
    return this.#forking.fork();
  }

  /** Restarts an agent that failed, and resumes the session. */
  async restart(): Promise<void> {
    const { run } = this.#onDemand;
    // Ending the agent would lose what waits to be stored; and it has not failed.
    if (run !== undefined && this.#life.isUnstored) return run.stored();
    await this.#onDemand.end();
    await this.open();
  }

  /** Makes room for another session's agent. Never rejects. */
  stop(): Promise<void> {
    if (this.#onDemand.isPaused) this.#options.onSuspend?.();
    return this.#onDemand.end();
  }

  /** Another owner has the session: clients that wait ask it. Here its agent is ended, and nothing is started or noted any more. Never rejects. */
  leave(): Promise<void> {
    this.notes.leave();
    this.turns.leave();
    this.#onDemand.leave();
    return this.stop();
  }

  /** Ends the turn and the agent, and closes the session with it; the session is kept. */
  async close(): Promise<void> {
    this.turns.hold();
    await this.turns.cancel();
    await this.#onDemand.run?.leave();
    await this.shutDown();
  }

  /** Ends the turn and the agent when the server ends: no user closed the session, so it resumes later. */
  async shutDown(options?: CancelOptions): Promise<void> {
    this.notes.end();
    this.turns.hold();
    await this.turns.cancel(options);
    await this.#onDemand.end();
    await this.notes.write();
    await this.#options.frames?.flush();
  }

  /** The same, and the agent forgets the session, where it can and runs. */
  async forget(): Promise<void> {
    const { run } = this.#onDemand;
    this.turns.hold();
    await this.turns.cancel();
    await run?.leave();
    try {
      await run?.forget();
    } finally {
      await this.close();
    }
  }

  async #start(signal: AbortSignal): Promise<AgentRun> {
    const { runtime, agent: name, spec, key, frames, observe, choose, wanted, onTerminal } = this.#options;
    if (spec === undefined) {
      throw new HostError('not-installed', `the agent ${JSON.stringify(name)} is not installed here`);
    }
    await this.changes.settled();
    await frames?.open();
    const redactor = frameRedactor(runtime.redactFrames?.(spec), () => this.redaction);
    const asked = { key, questions: this.#questions, takesReason: () => takesReason(this.#onDemand.run) };
    const options: AgentRunOptions = {
      ...this.#options,
      spec,
      signal,
      interact: this.#options.interact ?? askClients({ ...asked, redaction: () => this.redaction }),
      ...(frames !== undefined && {
        observe: (frame) => {
          observe?.(frame);
          frames.observe(frame, redactor);
        },
      }),
      ...(onTerminal !== undefined && {
        onOutput: ({ terminalId, text }) => this.#terminals.write(terminalId, text),
      }),
      directories: () => this.#continued.directories,
      variables: () => this.#options.variables.values,
      redaction: () => this.redaction,
      ...(wanted === undefined && {
        onLogged: (event) => {
          this.#takeLogged(event);
        },
      }),
      onEvent: (event) => {
        this.#life.take(event);
        if (event.type === 'update' && event.view.sessionUpdate === 'subagent_update') this.#attend();
        this.turns.take(event);
        return this.#options.onEvent?.(event);
      },
      isLogged: (event) => !this.#forking.isAboutFork(event) && (this.#options.isLogged?.(event) ?? true),
      onEventLogTrouble: (error) => {
        this.#life.followEventLog(error);
      },
      signIn: (agent, until) => this.#signIn.run(spec, agent, until),
      onEnd: (ending) => this.subagents.close(ending),
    };
    const next = async (agent: AgentConnection) => this.#continued.next(await this.subagents.serve(agent));
    if (choose === undefined) {
      const noted = wanted ?? (async (agent) => this.notes.opened(agent, await next(agent)));
      return this.notes.sentTo(await startRun(options, noted));
    }
    return startChosenRun(options, async (agent) => {
      const chosen = await choose(agent);
      this.#storedKey = chosen.key ?? key;
      return { ...chosen, ...(await next(agent)) };
    });
  }

  #takeLogged(event: LoggedEvent): void {
    this.turns.takeLogged(event);
    const { clients } = this.#options;
    if (clients !== undefined && this.#onDemand.run !== undefined) this.#appendedBytes += eventBytes(event);
    this.#facts.take(event);
  }

  /** What must not be revealed. */
  get redaction(): Redaction {
    return this.#options.variables.redaction;
  }

  /** Whether its agent works, or waits for a user. */
  get #isActive(): boolean {
    return this.turns.isBusy || this.#questions.size > 0 || this.subagents.areWorking;
  }

  /** An agent may ask, and its sub-agents may work, while no turn runs. */
  #attend(): void {
    if (this.#isActive) this.#onDemand.wake();
    else this.#onDemand.rest();
  }

  #followQuestions(settled?: SettledQuestion): void {
    this.#attend();
    this.#options.onQuestions?.(settled);
    this.#options.onChange?.();
  }
}
