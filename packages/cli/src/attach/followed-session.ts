import type { ContentBlock, SessionConfigOption, SessionModeState } from '@parley/acp';
import type { CancelOptions, LegacyModel, PromptResult, AgentSession } from '@parley/host';
import type { SessionState } from '@parley/host/state';
import type { AttachedSession } from './attached-session.ts';

/** An attached session as the chat takes one. What is sent and set goes to the hub. */
export class FollowedSession implements AgentSession {
  readonly #session: AttachedSession;
  readonly #view: () => SessionState;
  readonly #isUnattended: boolean;

  constructor(session: AttachedSession, view: () => SessionState, isUnattended: boolean) {
    this.#session = session;
    this.#view = view;
    this.#isUnattended = isUnattended;
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
    return this.#session.prompt(blocks, { isUnattended: this.#isUnattended });
  }

  cancel({ graceMs }: CancelOptions = {}): Promise<void> {
    return this.#session.cancel(graceMs);
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
