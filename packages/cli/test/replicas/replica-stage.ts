import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SecretVault } from '@parley/aap/server';
import { createHub, type Hub, type Principal } from '@parley/gateway';
import { createLimitedPool, SharedEventLogs, type ReplicaWorkspace } from '@parley/host';
import {
  attends,
  hubMethods,
  questionsAfter,
  type HubChanges,
  type HubMachine,
  type HubQuestion,
  type HubSession,
} from '@parley/host/hub';
import { postgresStore, type PostgresStore } from '@parley/postgres';
import { connect, memoryPair, type Connection } from '@parley/wire';
import postgres from 'postgres';
import { onTestFinished } from 'vitest';
import { scriptedAgent, type ScriptedAgent, type ScriptedTurn } from './scripted-agent.ts';

/** Long enough that no lease runs out by itself. */
const leaseMs = 60_000;

/** How a replica of a test is. */
export interface TestReplicaOptions {
  /** @default 'one machine' */
  readonly host?: string;
  readonly workspaces: readonly ReplicaWorkspace[];
  readonly turn?: (turn: ScriptedTurn) => Promise<void>;
  /** Encrypts what it sends to others. @default nothing is encrypted */
  readonly seal?: SecretVault;
  /** Variables of the scripted agent, which are secret. @default none */
  readonly env?: Readonly<Record<string, string>>;
  /** Agent processes it may run. @default 8 */
  readonly slots?: number;
  /** Whether prompts wait for a checkpoint of the folder. @default false */
  readonly takesCheckpoints?: boolean;
  /** The command lines of further agents, by name. @default only the scripted one */
  readonly commands?: Readonly<Record<string, readonly [command: string, ...args: string[]]>>;
}

/** A hub of a test, which shares its store with others. */
export interface TestReplica {
  readonly name: string;
  readonly hub: Hub;
  readonly store: PostgresStore;
  readonly agent: ScriptedAgent;
  readonly faults: unknown[];
  /** A client that attends, as the page does. */
  join(principal?: Principal): Promise<TestClient>;
  /** A client of plain ACP. @param onRequest Answers what it is asked. */
  plain(onRequest?: (method: string, params: Fields) => unknown): Promise<TestClient>;
  /** Loses a session to another replica, as if it were frozen for longer than its lease. */
  expire(key: string): Promise<void>;
}

/** Opens a replica over a database; it is closed after the test. */
export async function openReplica(
  url: string,
  name: string,
  {
    host = 'one machine',
    workspaces,
    slots = 8,
    turn = ({ say, text }) => say(`${name}: ${text}`),
    commands = {},
    takesCheckpoints = false,
    seal,
    env = {},
  }: TestReplicaOptions,
): Promise<TestReplica> {
  const agent = scriptedAgent(turn);
  const faults: unknown[] = [];
  const own = await emptyFolder();
  const sealed = seal === undefined ? {} : { seal };
  const store = postgresStore({ url, replica: name, host, leaseMs, folder: own, ...sealed });
  const pool = createLimitedPool({ places: slots, waiting: 100, idleMs: 60_000 });
  const folders = workspaces.map(({ folder }) => folder);
  const [first = '/nowhere', ...more] = folders;
  const hub = createHub({
    agents: [
      { name: 'scripted', place: 'configured', spec: { ...agent.spec, env } },
      ...Object.entries(commands).map(([each, [command, ...args]]) => ({
        name: each,
        place: 'configured' as const,
        spec: { name: each, reach: { by: 'command' as const, command, args } },
      })),
    ],
    defaultAgent: 'scripted',
    workspaces: [first, ...more],
    eventLogs: new SharedEventLogs({ store, program: 'test 1' }),
    policyFor: () => ({ approve: { level: 'ask', given: false }, rules: [] }),
    changesIn: () =>
      takesCheckpoints
        ? { stateDir: path.join(own, 'state'), promptWaitMs: 60_000, machine: host }
        : undefined,
    pool,
    info: { name: 'hub', version: '1' },
    onFault: (error) => faults.push(error),
    limits: { offerMs: 0 },
    replicas: { replicas: store.replicas, workspaces, slots, taken: () => pool.taken - pool.idle },
  });
  await hub.join();
  onTestFinished(async () => {
    await hub.close();
    await store[Symbol.asyncDispose]();
  });
  const open = async (
    isAttending: boolean,
    { onRequest, principal = ada }: { readonly onRequest?: Answer; readonly principal?: Principal } = {},
  ): Promise<TestClient> => {
    const [near, far] = memoryPair();
    void hub.connect(far, { principal });
    const client = new TestClient(near, onRequest);
    await client.begin(isAttending);
    return client;
  };
  return {
    name,
    hub,
    store,
    agent,
    faults,
    join: (principal) => open(true, principal && { principal }),
    plain: (onRequest) => open(false, onRequest && { onRequest }),
    expire: async (key) => {
      const sql = postgres(url, { max: 1, onnotice: () => undefined });
      const isOwner = async (): Promise<boolean> => {
        const rows = await sql`
          select from parley.sessions s join parley.replicas r on r.id = s.owner where s.key = ${key} and r.name = ${name}`;
        return rows.length > 0;
      };
      const seemDead = async (): Promise<void> => {
        await sql`update parley.replicas set alive_until = clock_timestamp() - interval '1 second' where name = ${name}`;
        await sql.notify('parley_replicas', 'replicas ');
      };
      // It may say that it is alive before another one sees that it is not.
      while (await isOwner()) await seemDead();
      await seemDead();
      await sql.end();
    },
  };
}

const ada: Principal = { id: 'token:ada', name: 'ada', scope: 'admin' };

type Fields = Readonly<Record<string, unknown>>;
type Answer = (method: string, params: Fields) => unknown;

/** A client of a test, and what it received. */
export class TestClient {
  readonly connection: Connection;
  readonly sessions = new Map<string, HubSession>();
  /** The events of the sessions that it watches. */
  readonly events: { readonly seq: number; readonly type: string; readonly [field: string]: unknown }[] = [];
  /** What the agents said, as plain ACP has it. */
  said = '';
  questions: readonly HubQuestion[] = [];
  machines: readonly HubMachine[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(transport: ReturnType<typeof memoryPair>[0], onRequest: Answer = () => new Promise(() => {})) {
    this.connection = connect(transport, {
      onNotification: (method, params) => {
        this.#take(method, { ...(params as Fields) });
        for (const look of this.#waiting) look();
      },
      onRequest: async (method, params) => onRequest(method, { ...(params as Fields) }),
    });
    onTestFinished(() => this.connection.close());
  }

  async begin(isAttending: boolean): Promise<void> {
    const capabilities = isAttending ? { _meta: { [attends]: true } } : {};
    await this.ask('initialize', { protocolVersion: 1, clientCapabilities: capabilities });
    if (isAttending) this.#take(hubMethods.update, await this.ask(hubMethods.attend, {}));
  }

  async ask(method: string, params: object): Promise<Fields> {
    const result = await this.connection.request(method, params);
    return typeof result === 'object' && result !== null ? { ...result } : {};
  }

  /** Begins a session, and watches it. Returns its key. */
  async start(cwd: string, meta: Fields = {}): Promise<string> {
    const { sessionId } = await this.ask('session/new', { cwd, mcpServers: [], _meta: meta });
    await this.watch(String(sessionId));
    return String(sessionId);
  }

  async watch(sessionId: string, after = 0): Promise<void> {
    await this.ask(hubMethods.watch, { sessionId, after });
  }

  prompt(sessionId: string, text: string): Promise<Fields> {
    return this.ask('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  }

  /** The types of the events that it received. */
  get types(): readonly string[] {
    return this.events.map(({ type }) => type);
  }

  /** Settles when what it received is as it should be. */
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

  #take(method: string, params: Fields): void {
    if (method === hubMethods.update) {
      const changes: HubChanges = params;
      for (const session of changes.sessions ?? []) this.sessions.set(session.key, session);
      for (const key of changes.removed ?? []) this.sessions.delete(key);
      this.questions = questionsAfter(this.questions, changes);
      this.machines = changes.machines ?? this.machines;
    } else if (method === hubMethods.events) {
      this.events.push(...(params['events'] as typeof this.events));
    } else if (method === 'session/update') {
      const { update } = params as { update: { sessionUpdate: string; content?: { text?: string } } };
      if (update.sessionUpdate === 'agent_message_chunk') this.said += update.content?.text ?? '';
    }
  }
}

/** An empty folder, removed after the test. */
export async function emptyFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-replica-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
