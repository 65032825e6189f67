import { commandEnd } from '../command-end.ts';
import type { CommandResult, Environment } from '../environment.ts';
import { UnreadOutput } from './unread-output.ts';

/** How far a command in the background has come. */
export type JobState =
  | { readonly state: 'running' }
  | { readonly state: 'ended'; readonly result: CommandResult }
  /** It could not be started. */
  | { readonly state: 'failed'; readonly error: unknown };

/** Options of a background command. */
export interface JobOptions {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  /** The machine, or the sandbox that holds it. */
  readonly environment: Pick<Environment, 'runCommand'>;
  readonly limitChars: number;
}

/** A command in the background: it outlasts the turn that started it, and ends with its session. */
export class Job {
  readonly id: string;
  readonly command: string;
  /** Resolves when none of its processes is running any more. */
  readonly ended: Promise<void>;
  readonly #output: UnreadOutput;
  readonly #stopping = new AbortController();
  #state: JobState = { state: 'running' };
  #isEndKnown = false;

  constructor({ id, command, cwd, environment, limitChars }: JobOptions) {
    this.id = id;
    this.command = command;
    this.#output = new UnreadOutput(limitChars);
    this.ended = this.#run(cwd, environment, limitChars);
  }

  get state(): JobState {
    return this.#state;
  }

  /** How it ended, in words; absent while it runs. */
  get end(): string | undefined {
    switch (this.#state.state) {
      case 'running':
        return undefined;
      case 'ended':
        return this.#stopping.signal.aborted ? 'Stopped' : commandEnd(this.#state.result);
      case 'failed':
        return 'It could not be started';
    }
  }

  /** Whether it has ended and the model knows its exit status. */
  get isEndKnown(): boolean {
    return this.#isEndKnown;
  }

  /** Returns the output since the last call. A call after its end marks the end as known. */
  read(): string {
    this.#isEndKnown = this.#state.state !== 'running';
    return this.#output.take();
  }

  /** Ends it with all processes that it started, and waits for their end. */
  async stop(): Promise<void> {
    if (this.#state.state === 'running') this.#stopping.abort();
    await this.ended;
  }

  async #run(cwd: string, environment: JobOptions['environment'], limitBytes: number): Promise<void> {
    try {
      const result = await environment.runCommand({
        command: this.command,
        shell: true,
        cwd,
        input: 'ignore',
        signal: this.#stopping.signal,
        limitBytes,
        keep: 'both-ends',
        onOutput: (text) => {
          this.#output.append(text);
        },
      });
      this.#state = { state: 'ended', result };
    } catch (error) {
      this.#state = { state: 'failed', error };
    }
  }
}
