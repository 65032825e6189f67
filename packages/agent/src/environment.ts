import type { Files } from './files.ts';

/** The machine the agent works on. `@parley/agent/node` makes one from `@parley/workspace`. */
export interface Environment {
  /** Fails when `cwd` or one of the directories is not an existing directory. */
  openFiles(options: { readonly cwd: string; readonly directories?: readonly string[] }): Promise<Files>;
  /** Runs a shell line; nothing it started is alive when the promise settles. */
  runCommand(options: CommandOptions): Promise<CommandResult>;
  /** `path`, taken from `base` when it is relative, without a look at the disk. */
  toAbsolutePath(base: string, path: string): string;
  /** A fresh id that nobody can guess. */
  createId(): string;
  readonly clock: Clock;
}

/** Waiting, so that tests need not. */
export interface Clock {
  /** Rejects when `signal` is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Lets input and output happen, then goes on. */
  breathe(): Promise<void>;
}

/** A shell line and its limits. */
export interface CommandOptions {
  readonly command: string;
  readonly shell: true;
  readonly cwd: string;
  readonly input: 'ignore';
  readonly signal: AbortSignal;
  readonly limitBytes: number;
  readonly idleMs: number;
  onOutput(text: string): void;
}

/** How a command ended, with its last output. */
export interface CommandResult {
  readonly status: { readonly exitCode: number | null; readonly signal: string | null };
  readonly output: string;
  readonly truncated: boolean;
  readonly ended?: 'aborted' | 'idle' | 'timeout';
}
