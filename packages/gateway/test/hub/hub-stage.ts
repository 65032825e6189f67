import { dirname, join } from 'node:path';
import type { PromptRequest } from '@parley/acp';
import { filesStore, unlimitedPool, type HostEvent, SharedEventLogs } from '@parley/host';
import {
  agentsAfter,
  attends,
  hubMethods,
  questionsAfter,
  type HubAgent,
  type HubChanges,
  type HubFrame,
  type HubQuestion,
  type HubSession,
} from '@parley/host/hub';
import { emptyState, parseLoggedEvent, reduce, values, type SessionState } from '@parley/host/state';
import { connect, memoryPair, type Connection, type Transport } from '@parley/wire';
import { onTestFinished } from 'vitest';
import { createHub, type Hub, type HubOptions, type Scope } from '../../src/index.ts';
import { folder, scriptedAgent, type ScriptedAgentOptions } from '../scripted-agent.ts';

/** A hub of a test, with one scripted agent. */
export interface HubStage {
  readonly hub: Hub;
  readonly workspace: string;
  readonly eventLogs: string;
  /** What the agent was asked, in order. */
  readonly requests: readonly string[];
  /** The prompts that reached it. */
  readonly prompts: readonly PromptRequest[];
  readonly events: HostEvent[];
  readonly faults: unknown[];
  /** Another client, which attends, and takes no events before a promise settles. May watch a session from the start. */
  join(person?: string, scope?: Scope, reads?: Promise<void>, watched?: string): Promise<StagedClient>;
}

/** Something that is waited for until the test lets it happen. */
export interface Gate {
  readonly passed: Promise<void>;
  open(): void;
}

export function createGate(): Gate {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** Opens a hub in empty folders; it is closed after the test. */
export async function openHub({
  agent = {},
  ...options
}: Partial<HubOptions> & { readonly agent?: ScriptedAgentOptions } = {}): Promise<HubStage> {
  const workspace = options.workspaces?.[0] ?? (await folder());
  const given = options.eventLogs?.store.folderOf('any');
  const eventLogs = given === undefined ? join(await folder(), 'event-logs') : dirname(given);
  const { spec, requests, prompts } = scriptedAgent(agent);
  const events: HostEvent[] = [];
  const faults: unknown[] = [];
  const hub = createHub({
    agents: [{ name: 'scripted', place: 'configured', spec }],
    defaultAgent: 'scripted',
    workspaces: [workspace],
    eventLogs: new SharedEventLogs({ store: filesStore(eventLogs), program: 'test 1' }),
    policyFor: () => ({ approve: { level: 'ask', given: false }, rules: [] }),
    pool: unlimitedPool(),
    info: { name: 'hub', version: '1' },
    onEvent: (event) => {
      events.push(event);
    },
    onFault: (error) => faults.push(error),
    ...options,
    // Tests count what their agent is asked.
    limits: { offerMs: 0, ...options.limits },
  });
  onTestFinished(() => hub.close());
  return {
    hub,
    workspace,
    eventLogs,
    requests,
    prompts,
    events,
    faults,
    join: async (user = 'ada', scope = 'admin', reads = Promise.resolve(), watched) => {
      const [near, far] = memoryPair();
      void hub.connect(far, { principal: { id: `token:${user}`, name: user, scope } });
      const client = new StagedClient(near, workspace, reads);
      await client.begin(watched);
      return client;
    },
  };
}

/** A client of a test, and what it received. */
export class StagedClient {
  readonly #workspace: string;
  readonly #views = new Map<string, SessionState>();
  readonly #caughtUp = new Set<string>();
  readonly #waiting = new Set<() => void>();
  readonly sessions = new Map<string, HubSession>();
  readonly texts = new Map<string, string>();
  /** The events that came, by session. */
  readonly #events = new Map<string, unknown[]>();
  /** The numbers of the events that came, by session. */
  readonly seqs = new Map<string, number[]>();
  questions: readonly HubQuestion[] = [];
  agents: readonly HubAgent[] = [];
  readonly frames: HubFrame[] = [];
  readonly settled: unknown[] = [];
  marks: HubChanges['marks'];
  /** How often the list of worktrees was said to be another. */
  worktreesChanged = 0;
  /** The length of all changes received, in characters. */
  changesLength = 0;
  readonly #connection: Connection;

  constructor(transport: Transport, workspace: string, reads: Promise<void>) {
    this.#workspace = workspace;
    this.#connection = connect(transport, {
      onNotification: async (method, params) => {
        if (method === hubMethods.events) await reads;
        this.#take(method, toFields(params));
        for (const look of this.#waiting) look();
      },
    });
  }

  /** Waits for the answers only after it has sent all requests. */
  async begin(watched?: string): Promise<void> {
    const [, attended] = await Promise.all([
      this.ask('initialize', { protocolVersion: 1, clientCapabilities: { _meta: { [attends]: true } } }),
      this.ask(hubMethods.attend, {}),
      watched === undefined ? undefined : this.watch(watched),
    ]);
    this.#applyChanges(toFields(attended));
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  ask(method: string, params: object): Promise<unknown> {
    return this.#connection.request(method, params);
  }

  /** Says something that is not answered. */
  notify(method: string, params: object): Promise<void> {
    return this.#connection.notify(method, params);
  }

  /** Begins a session, and watches it. Gives its key. */
  async start(meta: Fields = {}): Promise<string> {
    const opened = await this.ask('session/new', { cwd: this.#workspace, mcpServers: [], _meta: meta });
    const sessionId = String(toFields(opened)['sessionId']);
    await this.watch(sessionId);
    return sessionId;
  }

  /** Takes a session up again, and watches it. */
  async resume(sessionId: string): Promise<void> {
    await this.ask('session/resume', { sessionId, cwd: this.#workspace });
    await this.watch(sessionId);
  }

  async watch(sessionId: string): Promise<void> {
    await this.ask(hubMethods.watch, { sessionId, after: this.view(sessionId).seq });
  }

  prompt(sessionId: string, text: string): Promise<unknown> {
    return this.ask('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  }

  view(sessionId: string): SessionState {
    return this.#views.get(sessionId) ?? emptyState;
  }

  events(sessionId: string): readonly unknown[] {
    return this.#events.get(sessionId) ?? [];
  }

  /** What the agent has said in a session. */
  said(sessionId: string): string {
    return [...values(this.view(sessionId).items)]
      .flatMap((item) => (item.kind === 'message' && item.role === 'agent' ? item.blocks : []))
      .map((block) => (block.type === 'text' ? block.text : ''))
      .join('');
  }

  isCaughtUp(sessionId: string): boolean {
    return this.#caughtUp.has(sessionId);
  }

  /** Settles when what this client received is as it should be. */
  async until(isSo: () => boolean): Promise<void> {
    if (isSo()) return;
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!isSo()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
  }

  /** The next question of this kind that waits. */
  async question<Kind extends HubQuestion['kind']>(
    kind: Kind,
  ): Promise<Extract<HubQuestion, { readonly kind: Kind }>> {
    const found = (): HubQuestion | undefined => this.questions.find((question) => question.kind === kind);
    await this.until(() => found() !== undefined);
    return found() as Extract<HubQuestion, { readonly kind: Kind }>;
  }

  #take(method: string, params: Fields): void {
    switch (method) {
      case hubMethods.update:
        this.changesLength += JSON.stringify(params).length;
        this.#applyChanges(params);
        break;
      case hubMethods.events:
        this.#takeEvents(params);
        break;
      case hubMethods.log: {
        const key = String(params['sessionId']);
        this.texts.set(key, `${this.texts.get(key) ?? ''}${String(params['text'])}`);
        break;
      }
      case hubMethods.terminal: {
        const { text, isWhole, terminalId } = params;
        const key = String(terminalId);
        this.texts.set(key, `${isWhole === true ? '' : (this.texts.get(key) ?? '')}${String(text)}`);
        break;
      }
      case hubMethods.frames:
        this.frames.push(...(params['frames'] as readonly HubFrame[]));
        break;
      default:
        throw new Error(`${method}: not expected`);
    }
  }

  #applyChanges(fields: Fields): void {
    const { sessions, removed, settled, worktrees } = fields;
    const { marks = this.marks }: HubChanges = fields;
    this.marks = marks;
    if (worktrees === true) this.worktreesChanged += 1;
    const changes: HubChanges = fields;
    this.agents = agentsAfter(this.agents, changes);
    this.settled.push(...((settled ?? []) as readonly unknown[]));
    for (const session of (sessions ?? []) as readonly HubSession[]) this.sessions.set(session.key, session);
    for (const key of (removed ?? []) as readonly string[]) this.sessions.delete(key);
    this.questions = questionsAfter(this.questions, changes);
  }

  #takeEvents({ sessionId, events, isCaughtUp }: Fields): void {
    const key = String(sessionId);
    for (const value of events as readonly unknown[]) {
      const event = parseLoggedEvent(value);
      if (event === undefined) throw new Error('not an event');
      this.#views.set(key, reduce(this.view(key), event));
      this.seqs.set(key, [...(this.seqs.get(key) ?? []), event.seq]);
      this.#events.set(key, [...this.events(key), event]);
    }
    if (isCaughtUp === true) this.#caughtUp.add(key);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function toFields(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw new Error('not an object');
  return { ...value };
}
