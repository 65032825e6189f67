import type { ContentBlock, SessionConfigOption, SessionModeState } from '@parley/acp';
import {
  redactError,
  type AgentSession,
  type CancelOptions,
  type LegacyModel,
  type PromptOptions,
  type PromptResult,
  type Redaction,
  type Session,
  type SignalOptions,
  type SteeringOutcome,
  type SteerOptions,
} from '@parley/host';

/** A session that this process owns, as `run` and `chat` use it: what they ask for are commands to its owner. */
export class OwnSession implements AgentSession {
  readonly #owner: Session;
  readonly #redaction: Redaction;

  constructor(owner: Session, redaction: Redaction) {
    this.#owner = owner;
    this.#redaction = redaction;
  }

  get id(): string {
    return this.#owner.run?.session.id ?? this.#owner.sessionId;
  }

  get cwd(): string {
    return this.#owner.shown.cwd;
  }

  get modes(): SessionModeState | undefined {
    return this.#owner.run?.session.modes;
  }

  get configOptions(): readonly SessionConfigOption[] | undefined {
    return this.#owner.run?.session.configOptions;
  }

  get models(): readonly LegacyModel[] | undefined {
    return this.#owner.run?.session.models;
  }

  async prompt(
    blocks: readonly ContentBlock[],
    { timeoutMs, idleTimeoutMs }: PromptOptions = {},
  ): Promise<PromptResult> {
    const limits = {
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
    };
    try {
      return await this.#owner.turns.send(blocks, { isUnattended: false, limits }).ended;
    } catch (error) {
      throw redactError(error, this.#redaction);
    }
  }

  get takesSteering(): boolean {
    return this.#owner.run?.session.takesSteering === true;
  }

  async steer(blocks: readonly ContentBlock[], options?: SteerOptions): Promise<SteeringOutcome> {
    return (await this.#owner.run?.session.steer(blocks, options)) ?? 'queued';
  }

  get hasWorkingSubagents(): boolean {
    return this.#owner.subagents.areWorking;
  }

  get mayCancelSubagents(): boolean {
    return this.#owner.run?.session.mayCancelSubagents === true;
  }

  subagentsSettled(options?: SignalOptions): Promise<void> {
    return this.#owner.subagents.settled(options);
  }

  cancelSubagent(sessionId: string): void {
    this.#owner.subagents.cancel(sessionId);
  }

  cancel(options?: CancelOptions): Promise<void> {
    return this.#owner.turns.cancel(options);
  }

  setMode(modeId: string, options?: SignalOptions): Promise<void> {
    return this.#owner.use(({ session }) => session.setMode(modeId, options));
  }

  setModel(model: string, options?: SignalOptions): Promise<void> {
    return this.#owner.use(({ session }) => session.setModel(model, options));
  }

  setOption(id: string, value: string | boolean, options?: SignalOptions): Promise<void> {
    return this.#owner.use(({ session }) => session.setOption(id, value, options));
  }

  close(): Promise<void> {
    return this.#owner.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
