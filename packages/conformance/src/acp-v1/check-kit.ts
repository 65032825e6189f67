import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JsonObject, valueAt } from '@parley/wire';
import { demand, type Evidence } from './check-error.ts';
import { type AgentProgram, CheckedAgent, type SentRequest } from './checked-agent.ts';
import { type ClientServices, initializeParams } from './client-services.ts';
import { shown } from './json-value.ts';
import { StableText } from './stable-text.ts';

/** The prompts of the checks. */
export interface CheckPrompts {
  /** Something short. @default a greeting */
  readonly plain: string;
  /** Something that takes long enough to be cancelled. @default counting */
  readonly long: string;
  /** Something for which it uses files and commands. @default files and commands of the folder */
  readonly work: string;
  /** Something for which it starts a sub-agent, if it has any. @default listing a folder */
  readonly delegate: string;
}

/** How an agent is checked. */
export interface CheckOptions {
  /** @default ordinary sentences, which the offline model of Parley's own agent can follow too */
  readonly prompts?: Partial<CheckPrompts>;
  /** The method to authenticate with. @default no authentication */
  readonly authMethodId?: string;
  /** Whether `logout` may be tried: it may sign the user out. @default false */
  readonly allowLogout?: boolean;
  /** Time limit of one check. @default 30 s */
  readonly timeoutMs?: number;
  /** Time that an agent has to exit after the end of its input. @default 2 s */
  readonly closeGraceMs?: number;
  /** How long to wait for messages that must not arrive. @default 300 ms */
  readonly quietMs?: number;
  /** Texts to redact in reports. @default texts that look like secrets */
  readonly secrets?: readonly string[];
  /** Receives each message of the agent, for further checks. @default none */
  readonly onMessage?: (message: JsonObject, answered: SentRequest | undefined) => void;
  /** Ends the checks and all agents. @default never */
  readonly signal?: AbortSignal;
}

/** A session of an agent under test. */
export interface CheckedSession {
  readonly sessionId: string;
  readonly cwd: string;
  /** The result of the request that opened it. */
  readonly opened: unknown;
}

/** An agent that was initialized. */
export interface OpenedAgent {
  readonly agent: CheckedAgent;
  readonly initialized: unknown;
  readonly capabilities: unknown;
}

/** The remaining time of a check. */
export class TimeLimit {
  #begun = performance.now();
  readonly #limitMs: number;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  restart(): void {
    this.#begun = performance.now();
  }

  readonly msLeft = (): number => Math.max(1, this.#limitMs - (performance.now() - this.#begun));
}

/** The agents and folders of one check, which are removed when it has ended. */
export class CheckKit implements AsyncDisposable {
  readonly prompts: CheckPrompts;
  readonly quietMs: number;
  readonly authMethodId: string | undefined;
  readonly allowLogout: boolean;
  /** The names that this check chose, for its report. */
  readonly names: StableText;
  readonly limit: TimeLimit;
  readonly #program: AgentProgram;
  readonly #options: CheckOptions;
  readonly #shared: OpenedAgent | undefined;
  readonly #agents: CheckedAgent[] = [];
  readonly #folders: string[] = [];
  #used: CheckedAgent | undefined;

  /** @param shared An agent that other checks use too. @default each `open` starts one */
  constructor(program: AgentProgram, options: CheckOptions, shared?: OpenedAgent) {
    this.#program = program;
    this.#options = options;
    this.#shared = shared;
    this.names = new StableText(options.secrets);
    this.limit = new TimeLimit(options.timeoutMs ?? 30_000);
    this.prompts = { ...defaultPrompts, ...options.prompts };
    this.quietMs = options.quietMs ?? 300;
    this.authMethodId = options.authMethodId;
    this.allowLogout = options.allowLogout ?? false;
  }

  /** The last exchange with the agent that was used last. */
  get evidence(): Evidence | undefined {
    return this.#used?.evidence;
  }

  /** Starts the agent; nothing is sent yet. */
  async start(services?: ClientServices): Promise<CheckedAgent> {
    const { closeGraceMs = 2000, signal } = this.#options;
    const agent = await CheckedAgent.start({
      program: this.#program,
      msLeft: this.limit.msLeft,
      closeGraceMs,
      ...(services !== undefined && { services }),
      ...(signal !== undefined && { signal }),
    });
    this.#agents.push(agent);
    this.#used = agent;
    return agent;
  }

  /** An initialized agent, for a client without capabilities: the shared one, or one of its own. */
  async open(): Promise<OpenedAgent> {
    if (this.#shared === undefined) return this.openAs();
    this.#used = this.#shared.agent;
    return this.#shared;
  }

  /** Starts the agent and initializes it for a client with these capabilities; signs in where that was asked for. */
  async openAs(clientCapabilities: object = {}, services?: ClientServices): Promise<OpenedAgent> {
    const agent = await this.start(services);
    const initialized = await agent.request('initialize', initializeParams(1, clientCapabilities));
    if (this.authMethodId !== undefined) {
      await agent.request('authenticate', { methodId: this.authMethodId });
    } else {
      const methods = valueAt(initialized, 'authMethods');
      agent.offersSignIn = Array.isArray(methods) && methods.length > 0;
    }
    return { agent, initialized, capabilities: valueAt(initialized, 'agentCapabilities') };
  }

  /** Opens a session in a folder of its own. */
  async openSession(agent: CheckedAgent, more: object = {}): Promise<CheckedSession> {
    const cwd = await this.folder();
    const opened = await agent.request('session/new', { cwd, mcpServers: [], ...more });
    const sessionId = valueAt(opened, 'sessionId');
    demand(typeof sessionId === 'string' && sessionId !== '', `session/new returned no id: ${shown(opened)}`);
    this.names.add(sessionId, 'session');
    return { sessionId, cwd, opened };
  }

  /** An agent with one session. */
  async openOne(): Promise<OpenedAgent & { readonly session: CheckedSession }> {
    const opened = await this.open();
    return { ...opened, session: await this.openSession(opened.agent) };
  }

  /** Makes a folder with one short file. */
  async folder(): Promise<string> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-check-')));
    this.#folders.push(folder);
    this.names.add(folder, 'folder');
    await writeFile(join(folder, 'README.md'), 'one\ntwo\nthree\n');
    return folder;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#agents.map((agent) => agent.end()));
    const { onMessage } = this.#options;
    if (onMessage !== undefined) {
      for (const agent of this.#agents) {
        for (const message of agent.messages) onMessage(message, agent.requestOf(message));
      }
    }
    const remove = (folder: string): Promise<void> =>
      rm(folder, { recursive: true, force: true, maxRetries: 3 });
    await Promise.allSettled(this.#folders.map(remove));
  }
}

/** A prompt of one text. */
export function textPrompt({ sessionId }: { readonly sessionId: string }, text: string): object {
  return { sessionId, prompt: [{ type: 'text', text }] };
}

/** A model reads these as sentences; the offline model of Parley's own agent follows the lines that are instructions. */
const defaultPrompts: CheckPrompts = {
  plain: 'Answer with the one word "hello". Use no tools.',
  long: 'Count from 1 to 2000, one number a line, with a short remark on each. Use no tools.\nsleep 60',
  work: [
    'Use your tools for each of these lines, one after the other, then stop:',
    'list .',
    'read README.md',
    'write parley-check.txt: hello',
    'run echo parley-check',
  ].join('\n'),
  delegate:
    'Let one sub-agent list this folder, and wait for it. If you have no sub-agents, only answer with the one word "none".\n' +
    'call task {"prompt":"list .","kind":"explore","title":"List the folder"}',
};
