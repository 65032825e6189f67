import type { ContentBlock, SessionConfigOption, SessionModeState } from '@parley/acp';
import {
  withSignIn,
  type CancelOptions,
  type LegacyModel,
  type PromptOptions,
  type PromptResult,
  type Session,
  type SignalOptions,
} from '@parley/host';

export interface SignedInSessionOptions {
  /** Gives whether somebody has signed in. */
  readonly signIn: (signal: AbortSignal) => Promise<boolean>;
  /** Gives up signing in. */
  readonly signal: AbortSignal;
}

/** A session in which a prompt that was refused to somebody the agent does not know is sent once more when it does. */
export class SignedInSession implements Session {
  readonly #session: Session;
  readonly #options: SignedInSessionOptions;
  /** Aborted when the prompt that waits for somebody to sign in is cancelled. */
  #waiting = new AbortController();

  constructor(session: Session, options: SignedInSessionOptions) {
    this.#session = session;
    this.#options = options;
  }

  get id(): string {
    return this.#session.id;
  }

  get cwd(): string {
    return this.#session.cwd;
  }

  get modes(): SessionModeState | undefined {
    return this.#session.modes;
  }

  get configOptions(): readonly SessionConfigOption[] | undefined {
    return this.#session.configOptions;
  }

  get models(): readonly LegacyModel[] | undefined {
    return this.#session.models;
  }

  prompt(blocks: readonly ContentBlock[], options: PromptOptions = {}): Promise<PromptResult> {
    this.#waiting = new AbortController();
    const given = options.signal === undefined ? [] : [options.signal];
    const signal = AbortSignal.any([this.#options.signal, this.#waiting.signal, ...given]);
    return withSignIn(
      () => this.#session.prompt(blocks, options),
      () => this.#options.signIn(signal),
    );
  }

  cancel(options?: CancelOptions): Promise<void> {
    this.#waiting.abort();
    return this.#session.cancel(options);
  }

  setMode(modeId: string, options?: SignalOptions): Promise<void> {
    return this.#session.setMode(modeId, options);
  }

  setModel(model: string, options?: SignalOptions): Promise<void> {
    return this.#session.setModel(model, options);
  }

  setOption(id: string, value: string | boolean, options?: SignalOptions): Promise<void> {
    return this.#session.setOption(id, value, options);
  }

  close(): Promise<void> {
    this.#waiting.abort();
    return this.#session.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
