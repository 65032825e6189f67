import type { AgentInfo } from '../../agent-info.ts';
import type { ToolMessage } from '../../message.ts';
import type { TurnError } from '../../turn-event.ts';
import { redact } from '../config/redact.ts';
import { sealOptions } from '../config/seal-options.ts';
import type { RunStop, ServedAgent, AapSessionChange } from '../served-agent.ts';
import type { ServerContext } from '../server-context.ts';
import { AapServerError } from '../server-error.ts';
import { checkedSizeOf } from '../turn/event-size.ts';
import type { Unanswered } from '../turn/held-calls.ts';
import { LiveTurn } from '../turn/live-turn.ts';
import type { LoggedTurnEvent } from '../turn/logged-turn-event.ts';
import { toRunInput } from '../turn/run-input.ts';
import { deniedText } from '../turn/run-outcome.ts';
import type { RunSession, RunSettings } from '../turn/run-session.ts';
import { SessionRun, type SessionRunOptions } from '../turn/session-run.ts';
import { eventsOf } from '../turn/stored-events.ts';
import { toHead } from './aap-session-head.ts';
import { AapSessionLog } from './aap-session-log.ts';
import type {
  ApplicationAnswer,
  AapSessionRecord,
  AapTurnOutcome,
  TurnStarted,
} from './aap-session-record.ts';
import type { AapSessionState } from './aap-session-state.ts';
import type { Idempotency } from './idempotency.ts';
import { TurnGate, turnInProgress } from './turn-gate.ts';
import { TurnWatch } from './turn-watch.ts';

/** What a turn begins with, once it was accepted. */
export interface NewTurn {
  readonly record: TurnStarted;
  readonly settings: RunSettings;
  readonly agent: ServedAgent;
  readonly sender: SessionRunOptions['sender'];
  readonly trace?: SessionRunOptions['trace'];
}

/** What a session needs of its surroundings. */
export interface AapSessionOptions {
  readonly context: ServerContext;
  /** Works with this session as it is in memory then: an agent may outlive its run, and this object. */
  readonly current: (work: (session: AapSession) => Promise<void>) => Promise<void>;
  /** Settles when the run of the same session has ended that the store failed; turns wait for that. @default there is none */
  readonly after?: Promise<void>;
}

/** A session in memory: its properties, its run, and the writing of its records to the store. */
export class AapSession implements RunSession {
  readonly sessionId: string;
  readonly state: AapSessionState;
  readonly #context: ServerContext;
  readonly #current: AapSessionOptions['current'];
  readonly #after: Promise<void> | undefined;
  readonly #log: AapSessionLog;
  readonly #gate = new TurnGate();
  readonly #watch: TurnWatch;
  #settings: RunSettings = { options: {}, serverTools: new Map(), clientTools: [], secrets: [] };
  #run: SessionRun | undefined;
  #turn: LiveTurn | undefined;
  #unsaid: readonly LoggedTurnEvent[] = [];
  /** Records that the state has and the store does not yet: they go there with the next ones. */
  #owed: readonly AapSessionRecord[] = [];
  /** The turn during which the store failed. */
  #failedTurn: string | undefined;
  #isBroken = false;
  #isDeleted = false;
  #isAbandoned = false;

  constructor(sessionId: string, state: AapSessionState, options: AapSessionOptions) {
    const { context } = options;
    this.sessionId = sessionId;
    this.state = state;
    this.#context = context;
    this.#current = options.current;
    this.#after = options.after;
    this.#watch = new TurnWatch(sessionId, context);
    this.#log = new AapSessionLog(context.store, sessionId, {
      limits: context.limits,
      rounds: context.rounds,
      kept: (records) => this.#publish(records),
      failed: (error) => this.#break(error),
    });
  }

  /** The running turn. */
  get turn(): LiveTurn | undefined {
    return this.#turn;
  }

  /** Whether memory and store differ: the session must be read again. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** The turn that ended because the store failed. */
  get failedTurn(): string | undefined {
    return this.#failedTurn;
  }

  /** Records that the store does not have yet. */
  get owed(): readonly AapSessionRecord[] {
    return this.#owed;
  }

  get settings(): RunSettings {
    return this.#settings;
  }

  get remembered(): unknown {
    return this.state.remembered;
  }

  get isOverloaded(): boolean {
    return this.#log.isOverloaded;
  }

  /** Whether the session was deleted, or is being deleted. */
  get isDeleted(): boolean {
    return this.#isDeleted;
  }

  /** Whether it has no run, and may be removed from memory. */
  get isIdle(): boolean {
    return this.#run === undefined && this.#turn === undefined && !this.#gate.isBusy;
  }

  /**
   * Accepts one turn at a time.
   *
   * @throws {RequestError} A turn is running.
   */
  async accept(idempotency: Idempotency | undefined, begin: () => Promise<LiveTurn>): Promise<LiveTurn> {
    if (this.#turn !== undefined) throw turnInProgress();
    return this.#gate.accept(idempotency, async () => {
      await this.#after;
      return begin();
    });
  }

  /** The request of that key is being accepted. */
  isAccepting(idempotency: Idempotency | undefined): boolean {
    return idempotency !== undefined && this.#gate.key === idempotency.key;
  }

  /** Settles when the request that is being accepted was accepted or refused. */
  accepted(): Promise<void> {
    return this.#gate.settled();
  }

  /** Ends the run, and rejects all further requests. */
  async markDeleted(): Promise<void> {
    this.#isDeleted = true;
    await this.stop('deleted');
  }

  /** Another process has the session, or will have it: what runs is ended, and nothing begins in this object any more. */
  async abandon(): Promise<void> {
    this.#isAbandoned = true;
    await this.stop('shutdown');
  }

  /** Adds records that must survive. */
  async record(...records: readonly AapSessionRecord[]): Promise<void> {
    for (const record of records) this.state.apply(record);
    const owed = this.#owed;
    this.#owed = [];
    await this.#log.add([...owed, ...records], { head: toHead(this.state) });
  }

  /** Applies records that cannot be stored now; they are stored with the next ones. */
  owe(records: readonly AapSessionRecord[]): void {
    for (const record of records) this.state.apply(record);
    this.#owed = records;
  }

  /** The store has what was owed. */
  paid(): void {
    this.#owed = [];
  }

  /** Begins a turn: with a new run, or with the one that waits for what the application says. */
  async startTurn({ record, settings, agent, sender, trace }: NewTurn): Promise<LiveTurn> {
    const { input, turnId } = record;
    const { limits, clock } = this.#context;
    const calls = new Map(this.state.openCalls);
    const turn = new LiveTurn(turnId, record.stream, limits.recentChars);
    this.#turn = turn;
    this.#watch.started(record);
    try {
      await this.record(record);
      if (this.#isAbandoned) throw new AapServerError('store-failed', abandonedText(this.sessionId));
    } catch (error) {
      // A log that had failed before says so again, and ends nothing: there must not be a turn that never was.
      if (this.#turn === turn) this.#turn = undefined;
      throw error;
    }
    this.#settings = settings;
    if (input.kind === 'answers' && this.#run !== undefined) {
      this.#run.resume(turnId, input.answers, sender);
      return turn;
    }
    if (input.kind === 'answers') this.#emitDenials(input.answers);
    const run = new SessionRun(this, {
      turnId,
      input: toRunInput(input, calls),
      sender,
      history: input.kind === 'message' ? this.state.history.slice(0, -1) : [...this.state.history],
      open: [...this.state.openCalls.keys()],
      ...(trace !== undefined && { trace }),
      limits,
      clock,
    });
    this.#run = run;
    for (const event of this.#unsaid) void this.emit(event);
    this.#unsaid = [];
    run.start(agent);
    return turn;
  }

  /** Ends the run, if there is one, and the turn with it. */
  async stop(reason: RunStop, by?: Unanswered): Promise<void> {
    // A turn that is being accepted is there to be stopped, or was refused and needs no stop.
    await this.#gate.settled();
    await this.#after;
    await this.stopRun(reason, by);
  }

  /** Settles when a run that the store failed has ended. */
  async ended(): Promise<void> {
    await this.#after;
    await this.#run?.stop('shutdown');
  }

  /** The same, while a turn is being accepted. */
  async stopRun(reason: RunStop, by?: Unanswered): Promise<void> {
    await this.#run?.stop(reason, by);
    await this.#log.settled();
  }

  emit(event: LoggedTurnEvent): void | Promise<void> {
    const turn = this.#turn;
    if (turn === undefined || this.#isBroken) return undefined;
    const chars = checkedSizeOf(event, this.#context.limits.eventDepth);
    this.state.applyEvent(event);
    return this.#log.addEvent(turn.turnId, this.state.lastSeq, event, chars);
  }

  flush(): void {
    this.#log.flush();
  }

  stopTurn(outcome: AapTurnOutcome): void {
    const turn = this.#turn;
    if (turn === undefined || this.#isBroken) return;
    const { stopReason, error, detail, usage } = outcome;
    const record: AapSessionRecord = {
      type: 'turn-stop',
      turnId: turn.turnId,
      time: this.#time(),
      seq: this.state.lastSeq + 1,
      stopReason,
      ...(error !== undefined && {
        error: { ...error, message: redact(error.message, this.#settings.secrets) },
      }),
      ...(detail !== undefined && { detail }),
      ...(usage !== undefined && { usage }),
    };
    // A failure of the store is reported by the stop of the turn.
    this.record(record).catch(() => undefined);
  }

  runEnded(unsaid: readonly LoggedTurnEvent[]): void {
    this.#run = undefined;
    this.#unsaid = unsaid;
  }

  async expireCalls(): Promise<void> {
    await this.#denyCalls(unansweredText);
    await this.stopRun('deadline', 'expired');
  }

  /** The calls of a run that no longer exists have no timer: opening the session detects that they have expired. */
  async expireLeftCalls(): Promise<void> {
    const { state } = this;
    if (!this.isIdle || state.waitingCalls.length === 0) return;
    const waitedMs = this.#context.today().getTime() - Date.parse(state.waitingSince);
    if (waitedMs >= this.#context.limits.answerMs) await this.#denyCalls(unansweredText);
  }

  /** Ends the run of a turn that stopped for the application, if its calls still wait. */
  async cancelCalls(): Promise<void> {
    await this.#gate.settled();
    if (this.#turn !== undefined || this.state.waitingCalls.length === 0) return;
    await this.#denyCalls('cancelled');
    await this.stopRun('cancelled', 'cancelled');
  }

  async #denyCalls(reason: string): Promise<void> {
    const results = this.state.waitingCalls.map(({ call }): ToolMessage => ({
      role: 'tool',
      toolCallId: call.toolCallId,
      content: deniedText(reason),
    }));
    try {
      await this.record({ type: 'resolved', time: this.#time(), results });
    } catch {
      // The store is reported as broken; the calls still wait there.
    }
  }

  remember(state: unknown): Promise<void> {
    return this.#current((session) => session.record({ type: 'state', state }));
  }

  update(change: AapSessionChange): Promise<void> {
    return this.#current((session) => session.#change(change));
  }

  async #change({ title, options }: AapSessionChange): Promise<void> {
    const sealed =
      options === undefined
        ? undefined
        : await sealOptions(this.#info(), options, { vault: this.#context.vault });
    await this.record({
      type: 'changed',
      time: this.#time(),
      ...(title !== undefined && { title }),
      ...(sealed !== undefined && { options: sealed }),
    });
    this.#settings = { ...this.#settings, options: { ...this.#settings.options, ...options } };
  }

  #emitDenials(answers: readonly ApplicationAnswer[]): void {
    for (const answer of answers) {
      if (answer.kind !== 'denied') continue;
      const { toolCallId, reason } = answer;
      void this.emit({ event: 'tool_result', toolCallId, content: deniedText(reason) });
    }
  }

  #info(): AgentInfo {
    const agent = this.#context.agents().find(({ info }) => info.name === this.state.agent.name);
    return agent?.info ?? { name: this.state.agent.name, version: '0.0.0' };
  }

  /** What is in the store may be sent. */
  #publish(records: readonly AapSessionRecord[]): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    for (const record of records) {
      const isFirst = turn.last === 1;
      for (const event of eventsOf(record, turn.turnId)?.events ?? []) turn.publish(event);
      if (isFirst && record.type === 'events') this.#watch.said();
      if (record.type === 'turn-stop') this.#watch.stopped(record);
    }
    if (turn.isStopped) this.#turn = undefined;
    turn.wake();
  }

  /** What could not be stored is not sent as if it were: the turn ends here, and the session is read again. */
  #break(error: AapServerError): void {
    this.#isBroken = true;
    const turn = this.#turn;
    this.#turn = undefined;
    this.#failedTurn = turn?.turnId;
    this.#context.observe({ type: 'fault', message: error.message, cause: error.cause });
    void this.#run?.stop('shutdown');
    if (turn === undefined) return;
    const outcome = { stopReason: 'error', error: storeFailed } as const;
    turn.publish({ event: 'turn_stop', ...outcome });
    turn.wake();
    this.#watch.stopped(outcome);
  }

  #time(): string {
    return this.#context.today().toISOString();
  }
}

/** The end of a turn that could not be stored. */
export const storeFailed: TurnError = {
  code: 'store_failed',
  message: 'The server could not store what happened in the turn, and ended it.',
};

function abandonedText(sessionId: string): string {
  return `session ${sessionId}: another process has it, and ends the turn`;
}

const unansweredText = 'the application did not answer in time';
