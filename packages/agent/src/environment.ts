import type { McpServer } from '@parley/acp';
import type { FetchRequest, FetchResponse } from './fetch.ts';
import type { Files } from './files.ts';
import type { McpConnection } from './mcp/mcp-connection.ts';
import type { RuleBook } from './permission/rule-book.ts';
import type { SessionStore } from './session/record/session-store.ts';

/** The machine the agent works on. `@parley/agent/node` makes one from `@parley/workspace`. */
export interface Environment {
  /** Fails when `cwd` or one of the directories is not an existing directory. */
  openFiles(options: { readonly cwd: string; readonly directories?: readonly string[] }): Promise<Files>;
  /** Runs a shell line; nothing it started is alive when the promise settles. */
  runCommand(options: CommandOptions): Promise<CommandResult>;
  /** A shell line as a program with its arguments, for a client that starts it. */
  toShellCommand(line: string): { readonly command: string; readonly args: readonly string[] };
  /** Why a shell line must not run in any mode, if it does what cannot be undone. */
  irreversibleReason(command: string): Promise<string | undefined>;
  /** Those of these files that are asked about in every mode short of full access: what they are runs code or is a key. */
  protectedFiles(
    paths: readonly string[],
    effect: 'read' | 'write' | 'delete' | 'move',
    files: Files,
  ): Promise<readonly ProtectedFile[]>;
  /** Those among the files that stand in a command. */
  protectedInCommand(command: string, files: Files): Promise<readonly ProtectedFile[]>;
  /** Reads rules as they are meant in a session's directory, given by its real path. */
  openRules(cwd: string): Promise<RuleBook>;
  /** Fetches a page; addresses that are not public are refused, on each hop, unless the machine allows them. */
  fetchUrl(request: FetchRequest): Promise<FetchResponse>;
  /** Connects to an MCP server; a failure leaves nothing behind. */
  connectMcpServer(server: McpServer, options: ConnectMcpOptions): Promise<McpConnection>;
  /** `path`, taken from `base` when it is relative, without a look at the disk. */
  toAbsolutePath(base: string, path: string): string;
  /** A fresh id that cannot be guessed. */
  createId(): string;
  readonly clock: Clock;
  /** Instructions of the user for the model in each session. @default none */
  readonly userInstructions?: UserInstructions;
  /** Where sessions are kept. @default nowhere: they end with their connection */
  readonly sessions?: SessionStore;
}

/** A file that always has to be asked about. */
export interface ProtectedFile {
  /** By each of its names: as it was given, and where that leads. */
  readonly paths: readonly string[];
  /** What it is, for a reader. */
  readonly reason: string;
}

/** A file with the user's instructions for the model in each session. */
export interface UserInstructions {
  readonly path: string;
  /** Fails with the code `not-found` where there is no such file, with another one where it cannot be used. */
  read(maxBytes: number): Promise<string>;
}

/** Where a server is started, and how long it may take. */
export interface ConnectMcpOptions {
  readonly cwd: string;
  readonly startMs: number;
  /** Aborting stops the wait. */
  readonly signal: AbortSignal;
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
  readonly keep: 'both-ends';
  /** @default none: it may be silent for as long as it likes */
  readonly idleMs?: number;
  onOutput(text: string): void;
}

/** How a command ended, with its output; a line says where and how much of it is left out. */
export interface CommandResult {
  readonly status: { readonly exitCode: number | null; readonly signal: string | null };
  readonly output: string;
  readonly truncated: boolean;
  readonly ended?: 'aborted' | 'idle' | 'timeout';
}
