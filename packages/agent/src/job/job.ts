import { commandEnd } from '../command-end.ts';
import type { CommandResult, Environment } from '../environment.ts';
import { UnreadOutput } from './unread-output.ts';

/** How far a command in the background has come. */
export type JobState =
  | { readonly state: 'running' }
  | { readonly state: 'ended'; readonly result: CommandResult }
  /** It could not be started. */
  | { readonly state: 'failed'; readonly error: unknown };

/** What to run in the background, and how much of its output to keep. */
export interface JobOptions {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly environment: Environment;
  readonly limitChars: number;
}

/** A command in the background: it outlasts the turn that started it, and ends with its session. */
export class Job {
  readonly id: string;
  readonly command: string;
  /** Settles when nothing of it runs any more. */
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

  /** Whether it ended, and the model knows how. */
  get isEndKnown(): boolean {
    return this.#isEndKnown;
  }

  /** What it wrote since it was read last; who reads it after its end knows of the end. */
  read(): string {
    this.#isEndKnown = this.#state.state !== 'running';
    return this.#output.take();
  }

  /** Ends it with all that it started; settles when that is gone. */
  async stop(): Promise<void> {
    if (this.#state.state === 'running') this.#stopping.abort();
    await this.ended;
  }

  async #run(cwd: string, environment: Environment, limitBytes: number): Promise<void> {
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
