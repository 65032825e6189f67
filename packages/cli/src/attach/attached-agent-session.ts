import { randomUUID } from 'node:crypto';
import type { ContentBlock, SessionConfigOption, SessionModeState } from '@parley/acp';
import {
  HostError,
  type AgentSession,
  type CancelOptions,
  type LegacyModel,
  type PromptResult,
  type SteeringOutcome,
} from '@parley/host';
import { hubMethods } from '@parley/host/hub';
import { isWorking, subagentOf, values, type SessionState } from '@parley/host/state';
import { isJsonObject, WireError } from '@parley/wire';
import { CliError } from '../cli-error.ts';
import type { AttachedSession } from './attached-session.ts';

/** Options of {@link AttachedAgentSession}. */
export interface AttachedAgentSessionOptions {
  /** The state of the session. */
  readonly view: () => SessionState;
  /** No user is at this terminal. */
  readonly isUnattended: boolean;
  /** Aborted when the user leaves: prompts are not awaited from then on. */
  readonly left: AbortSignal;
}

/** An attached session as the chat takes one. What is sent and set goes to the hub. */
export class AttachedAgentSession implements AgentSession {
  readonly #session: AttachedSession;
  readonly #view: () => SessionState;
  readonly #isUnattended: boolean;
  readonly #left: Promise<never>;
  readonly #steered = new Set<string>();

  constructor(session: AttachedSession, { view, isUnattended, left }: AttachedAgentSessionOptions) {
    this.#session = session;
    this.#view = view;
    this.#isUnattended = isUnattended;
    this.#left = new Promise((_resolve, reject) => {
      left.addEventListener('abort', () => {
        reject(new CliError('interrupted', 'left before the turn ended'));
      });
    });
    this.#left.catch(() => undefined);
  }

  get id(): string {
    return this.#session.key;
  }

  get cwd(): string {
    return this.#session.facts.cwd ?? '';
  }

  get modes(): SessionModeState | undefined {
    return this.#view().modes;
  }

  get configOptions(): readonly SessionConfigOption[] | undefined {
    return this.#view().configOptions;
  }

  get models(): readonly LegacyModel[] | undefined {
    return this.#view().models;
  }

  prompt(blocks: readonly ContentBlock[]): Promise<PromptResult> {
    const answered = this.#session.prompt(blocks, { isUnattended: this.#isUnattended });
    return Promise.race([answered, this.#left]);
  }

  get takesSteering(): boolean {
    return this.#view().agent?.steering === true;
  }

  /** What the agent does not take waits in the queue of the hub. */
  async steer(prompt: readonly ContentBlock[]): Promise<SteeringOutcome> {
    const promptId = randomUUID();
    this.#steered.add(promptId);
    const params = { sessionId: this.id, prompt, _meta: { 'parley/promptId': promptId } };
    try {
      const result = await this.#session.client.request(hubMethods.steer, params);
      const outcome: unknown = isJsonObject(result) ? result['outcome'] : undefined;
      return outcome === 'steered' || outcome === 'queued' ? outcome : 'unknown';
    } catch (error) {
      // The connection was lost before the answer.
      if (error instanceof WireError) return 'unknown';
      throw error;
    }
  }

  /** Whether text with that id was sent into a turn here; asked once. */
  forgetSteered(promptId: string): boolean {
    return this.#steered.delete(promptId);
  }

  get hasWorkingSubagents(): boolean {
    return Array.from(values(this.#view().subagents)).some(isWorking);
  }

  get mayCancelSubagents(): boolean {
    return Array.from(values(this.#view().subagents)).some(
      ({ mayCancel, work }) => mayCancel && work.state !== 'idle',
    );
  }

  /** The hub owns it: its sub-agents continue without this client. */
  subagentsSettled(): Promise<void> {
    return Promise.resolve();
  }

  cancelSubagent(subagent: string): void {
    if (subagentOf(this.#view(), subagent)?.mayCancel !== true) {
      const message = `session/cancel: the agent does not allow cancelling the sub-agent ${JSON.stringify(subagent)}`;
      throw new HostError('not-supported', message);
    }
    // What came of it is in the state of the sub-agent.
    this.#session.client
      .request(hubMethods.cancelSubagent, { sessionId: this.id, subagent })
      .catch(() => undefined);
  }

  cancel(options?: CancelOptions): Promise<void> {
    return this.#session.cancel(options);
  }

  async setMode(modeId: string): Promise<void> {
    await this.#session.client.request('session/set_mode', { sessionId: this.id, modeId });
  }

  setModel(model: string): Promise<void> {
    const option = this.configOptions?.find(({ category, id }) => category === 'model' || id === 'model');
    return this.setOption(option?.id ?? 'model', model);
  }

  async setOption(id: string, value: string | boolean): Promise<void> {
    await this.#session.client.request('session/set_config_option', {
      sessionId: this.id,
      configId: id,
      ...(typeof value === 'boolean' && { type: 'boolean' }),
      value,
    });
  }

  /** Leaves it: the session is not closed, as it has other clients. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
