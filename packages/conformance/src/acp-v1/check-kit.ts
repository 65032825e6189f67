import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JsonObject, valueAt } from '@parley/wire';
import { AgentProcess } from './agent-process.ts';
import type { SentRequest } from './agent-process.ts';
import { demand } from './check-error.ts';
import { shown } from './json-value.ts';

/** What the agent is asked to do. */
export interface CheckPrompts {
  /** Something short. @default a greeting */
  readonly plain: string;
  /** Something that takes long enough to be cancelled. @default counting */
  readonly long: string;
  /** Something for which it wants files and commands. @default looking at the folder */
  readonly work: string;
}

/** How an agent is checked. */
export interface CheckOptions {
  /** Variables of its process, on top of our own; `undefined` takes one away. @default none */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** @default ordinary sentences */
  readonly prompts?: Partial<CheckPrompts>;
  /** How to authenticate, where the agent wants that. @default not at all */
  readonly authMethodId?: string;
  /** Whether `logout` may be tried: it may sign the user out. @default false */
  readonly allowLogout?: boolean;
  /** How long an answer may take. @default 30 s */
  readonly timeoutMs?: number;
  /** How long an agent may take to exit once its input has ended. @default 2 s */
  readonly closeGraceMs?: number;
  /** How long is listened for what must not come. @default 300 ms */
  readonly quietMs?: number;
  /** Receives each answer and each call of the agent, for further checks. @default none */
  readonly onMessage?: (message: JsonObject, answered: SentRequest | undefined) => void;
}

/** A session of an agent on trial. */
export interface CheckedSession {
  readonly sessionId: string;
  readonly cwd: string;
  /** The result of the request that opened it. */
  readonly opened: unknown;
}

/** What one check works with: agents of its own, and folders, which are gone when it is over. */
export class CheckKit implements AsyncDisposable {
  readonly prompts: CheckPrompts;
  readonly quietMs: number;
  readonly authMethodId: string | undefined;
  readonly allowLogout: boolean;
  readonly #command: readonly string[];
  readonly #options: CheckOptions;
  readonly #agents: AgentProcess[] = [];
  readonly #folders: string[] = [];

  constructor(command: readonly string[], options: CheckOptions) {
    this.#command = command;
    this.#options = options;
    this.prompts = { ...defaultPrompts, ...options.prompts };
    this.quietMs = options.quietMs ?? 300;
    this.authMethodId = options.authMethodId;
    this.allowLogout = options.allowLogout ?? false;
  }

  /** Starts the agent; nothing is said yet. */
  async start(): Promise<AgentProcess> {
    const { env = {}, timeoutMs = 30_000, closeGraceMs = 2000 } = this.#options;
    const cwd = await this.folder();
    const agent = await AgentProcess.start({ command: this.#command, cwd, env, timeoutMs, closeGraceMs });
    this.#agents.push(agent);
    return agent;
  }

  /** Starts the agent and initializes it as a client without capabilities; logs in where that was asked for. */
  async open(): Promise<{
    readonly agent: AgentProcess;
    readonly capabilities: unknown;
    readonly initialized: unknown;
  }> {
    const agent = await this.start();
    const initialized = await agent.request('initialize', initializeParams());
    if (this.authMethodId !== undefined) {
      await agent.request('authenticate', { methodId: this.authMethodId });
    }
    return { agent, initialized, capabilities: valueAt(initialized, 'agentCapabilities') };
  }

  /** Opens a session in a folder of its own. */
  async openSession(agent: AgentProcess, more: object = {}): Promise<CheckedSession> {
    const cwd = await this.folder();
    const opened = await agent.request('session/new', { cwd, mcpServers: [], ...more });
    const sessionId = valueAt(opened, 'sessionId');
    demand(typeof sessionId === 'string' && sessionId !== '', `session/new gave no id: ${shown(opened)}`);
    return { sessionId, cwd, opened };
  }

  /** Makes an empty folder. */
  async folder(): Promise<string> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-check-')));
    this.#folders.push(folder);
    return folder;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#agents.map((agent) => agent.end()));
    const { onMessage } = this.#options;
    if (onMessage !== undefined) for (const agent of this.#agents) report(agent, onMessage);
    const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });
    await Promise.allSettled(this.#folders.map(remove));
  }
}

/** Params of `initialize` of the least client. */
export function initializeParams(protocolVersion = 1): object {
  return {
    protocolVersion,
    clientCapabilities: {},
    clientInfo: { name: 'parley-check', title: 'Parley check', version: '0.1.0' },
  };
}

/** A prompt of one text. */
export function textPrompt({ sessionId }: { readonly sessionId: string }, text: string): object {
  return { sessionId, prompt: [{ type: 'text', text }] };
}

const defaultPrompts: CheckPrompts = {
  plain: 'Answer with the one word "hello". Use no tools.',
  long: 'Count from 1 to 2000, one number a line, with a short remark on each. Use no tools.',
  work: 'List the files in the working directory, read README.md if there is one, and run the command: echo hello',
};

function report(
  agent: AgentProcess,
  onMessage: (message: JsonObject, answered: SentRequest | undefined) => void,
): void {
  for (const message of agent.messages) {
    const isAnswer = message['method'] === undefined;
    onMessage(message, isAnswer ? agent.sent.find(({ id }) => id === message['id']) : undefined);
  }
}
