import type { McpServer } from '@parley/acp';
import type { ConversationStore } from './conversation/record/conversation-store.ts';
import type { FetchRequest, FetchResponse } from './fetch.ts';
import type { Files } from './files.ts';
import type { McpConnection } from './mcp/mcp-connection.ts';
import type { RuleBook } from './permission/rule-book.ts';

/** The machine that the agent works on. `@parley/agent/node` creates one from `@parley/workspace`. */
export interface Environment {
  /** Opens the files of a session. Rejects if `cwd` or one of the directories is not an existing directory. */
  openFiles(options: { readonly cwd: string; readonly directories?: readonly string[] }): Promise<Files>;
  /** Runs a shell line. When the promise settles, no process that it started is left. */
  runCommand(options: CommandOptions): Promise<CommandResult>;
  /**
   * Finds what holds the commands of a session in the mode `workspace-write`; undefined where the machine cannot hold them, or the user
   * does not want it. @default they are not held
   */
  findCommandSandbox?(directories: readonly string[]): Promise<CommandSandbox | undefined>;
  /** Converts a shell line to a program with arguments, for a client that starts it. */
  toShellCommand(line: string): { readonly command: string; readonly args: readonly string[] };
  /** Returns why a shell line must not run in any mode, if it does irreversible damage. */
  irreversibleReason(command: string): Promise<string | undefined>;
  /**
   * Returns the protected files among these: files that run code or contain keys, about which every mode asks except
   * full access.
   */
  protectedFiles(
    paths: readonly string[],
    effect: 'read' | 'write' | 'delete' | 'move',
    files: Files,
  ): Promise<readonly ProtectedFile[]>;
  /** Returns the protected files that a command names. */
  protectedInCommand(command: string, files: Files): Promise<readonly ProtectedFile[]>;
  /** Opens the rules for a session's directory, given by its real path. */
  openRules(cwd: string): Promise<RuleBook>;
  /**
   * Fetches a page. Addresses that are not public are rejected, at each redirect, unless the environment allows them.
   */
  fetchUrl(request: FetchRequest): Promise<FetchResponse>;
  /** Connects to an MCP server. A failure leaves no process behind. */
  connectMcpServer(server: McpServer, options: ConnectMcpOptions): Promise<McpConnection>;
  /** Resolves `path` against `base` if it is relative, without accessing the disk. */
  toAbsolutePath(base: string, path: string): string;
  /** Creates an id that cannot be guessed. */
  createId(): string;
  readonly clock: Clock;
  /** The user's instructions for the model in each session. @default none */
  readonly userInstructions?: UserInstructions;
  /** Stores sessions. @default none: they end with their connection */
  readonly conversations?: ConversationStore;
}

/** Holds the commands of a session to its directories. */
export interface CommandSandbox extends AsyncDisposable {
  /** What commands in it cannot do, as a clause: `they cannot …`. */
  readonly limits: string;
  /** Whether commands in it need no permission. */
  readonly autoApprove: boolean;
  /** As `runCommand`. Rejects with `not-held` if the command was not started, because it could not be held. */
  runCommand(options: CommandOptions): Promise<CommandResult>;
}

/** A file that always has to be asked about. */
export interface ProtectedFile {
  /** Each name of the file: as given, and resolved. */
  readonly paths: readonly string[];
  /** What it is, for a reader. */
  readonly reason: string;
}

/** A file with the user's instructions for the model in each session. */
export interface UserInstructions {
  readonly path: string;
  /** Rejects with the code `not-found` if the file does not exist, and with another code if it cannot be used. */
  read(maxBytes: number): Promise<string>;
}

/** The folder in which a server starts, and its time limit. */
export interface ConnectMcpOptions {
  readonly cwd: string;
  readonly startMs: number;
  /** Aborting stops the wait. */
  readonly signal: AbortSignal;
}

/** Delays, which tests can replace. */
export interface Clock {
  /** Rejects if `signal` is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Yields to pending input and output. */
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
  /** @default no limit for silence */
  readonly idleMs?: number;
  onOutput(text: string): void;
}

/** The exit status and output of a command. One line says how much output was omitted, if any. */
export interface CommandResult {
  readonly status: { readonly exitCode: number | null; readonly signal: string | null };
  readonly output: string;
  readonly truncated: boolean;
  readonly ended?: 'aborted' | 'idle' | 'timeout';
}
