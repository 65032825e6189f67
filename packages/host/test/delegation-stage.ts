import { faultyAgent, subagentAgent } from '@parley/conformance';
import { onTestFinished } from 'vitest';
import {
  createSessionKey,
  defaultDelegationLimits,
  defaultSessionLimits,
  filesStore,
  noNotes,
  readSession,
  Session,
  SharedEventLogs,
  TypedVariables,
  unlimitedPool,
  type DelegationLimits,
  type DelegationServer,
  type HostEvent,
  type Interact,
  type Policy,
  type RestartOptions,
  type SessionRuntime,
  type SessionStore,
} from '../src/index.ts';
import type { SessionState } from '../src/state/index.ts';
import { approve, fixture, folder } from './harness.ts';

/** What a tool of the team returned. */
export type Result = Readonly<Record<string, unknown>> & { readonly id: string };

/** A session that may delegate, with the tools that its agent is given. */
export interface DelegationStage {
  readonly session: Session;
  readonly store: SessionStore;
  readonly events: readonly HostEvent[];
  /** Calls a tool as the agent of the session does, or that of a delegate with this key. */
  call(name: string, input?: object, key?: string): Promise<Result>;
  /** The process ids of agents that were started. */
  readonly pids: readonly number[];
  /** The names of agents that answered `initialize`. */
  readonly initialized: readonly string[];
  /** The session as its event log has it. */
  state(key?: string): Promise<SessionState>;
  /** The sessions of delegates, by their keys. */
  readonly delegates: ReadonlyMap<string, Session>;
  /** The delegates that may delegate themselves. */
  readonly delegating: ReadonlySet<string>;
  /** Settles with the first event of the session that fits. */
  event(fits: (event: HostEvent) => boolean): Promise<HostEvent>;
  /** The events of a delegate's own session. */
  eventsOf(key: string): readonly HostEvent[];
}

/** What is different about a stage. */
export interface DelegationStageOptions {
  /** The agents of the team, by the names of their faults; `scripted` carries out the steps of its prompt. */
  readonly faults?: readonly string[];
  readonly limits?: Partial<DelegationLimits>;
  readonly policy?: Policy;
  readonly interact?: Interact;
  /** Where remembered answers are stored. @default nowhere */
  readonly answersFile?: string;
  /** The creation of a delegate's session waits for this promise. @default nothing */
  readonly opening?: Promise<void>;
  /** How often and when agents are restarted. @default they are not */
  readonly restart?: RestartOptions;
  /** The command line of the agent `other`. */
  readonly other?: readonly [string, ...string[]];
}

/** Opens a session of an agent that does nothing wrong, which is closed after the test. */
export async function delegationStage({
  faults = [],
  limits = {},
  policy = approve('reads'),
  interact = {},
  answersFile,
  opening,
  restart = { attempts: 0 },
  other,
}: DelegationStageOptions = {}): Promise<DelegationStage> {
  const [home, cwd] = [await folder(), await folder()];
  const store = filesStore(home);
  const pids: number[] = [];
  const initialized: string[] = [];
  const events: HostEvent[] = [];
  const happened: { readonly sessionId: string; readonly event: HostEvent }[] = [];
  const listeners = new Set<(event: HostEvent) => void>();
  const delegates = new Map<string, Session>();
  const delegating = new Set<string>();
  const servers = new Map<string, DelegationServer>();
  const serveIn = (key: string) => (served: DelegationServer) => {
    servers.set(key, served);
    return Promise.resolve({
      mcpServer: () => ({ name: served.name, command: process.execPath, args: [], env: [] }),
      close: () => Promise.resolve(),
    });
  };
  const runtime: SessionRuntime = {
    eventLogs: new SharedEventLogs({ store, program: 'test' }),
    policyFor: () => policy,
    pool: unlimitedPool(),
    info: { name: 'test', version: '1.0.0' },
    restart,
    ...(answersFile !== undefined && { answersFile }),
    onEvent: (event, { sessionId }) => {
      happened.push({ sessionId, event });
      if (event.type === 'agent-starting' && event.pid !== undefined) pids.push(event.pid);
      if (event.type === 'agent-start') initialized.push(event.agent);
    },
  };
  const common = () => ({
    createdAt: Date.now(),
    updatedAt: Date.now(),
    notes: noNotes,
    limits: defaultSessionLimits,
    variables: new TypedVariables([]),
    askSignIn: () => Promise.resolve(undefined),
  });
  const commandLineOf = (name: string): readonly [string, ...string[]] => {
    if (name === 'other' && other !== undefined) return other;
    return name.startsWith('subagent ') ? subagentAgent(name.slice('subagent '.length)) : faultyAgent(name);
  };
  const specOf = (name: string) => {
    if (name === 'scripted') return { name, reach: { by: 'command', ...fixture('scripted') } } as const;
    const [command, ...args] = commandLineOf(name);
    return { name, reach: { by: 'command', command, args } } as const;
  };
  const key = createSessionKey();
  const session = new Session({
    ...common(),
    key,
    agent: 'parent',
    spec: { ...specOf('none'), name: 'parent' },
    cwd,
    runtime,
    interact,
    onEvent: (event) => {
      events.push(event);
      for (const listener of listeners) listener(event);
    },
    delegation: {
      agents: faults.map((name) => ({ name })),
      limits: { ...defaultDelegationLimits, ...limits },
      serve: serveIn(key),
      open: async ({ agent, basis }) => {
        await opening;
        const { delegation } = basis;
        const delegate = new Session({
          ...common(),
          ...basis,
          ...(delegation !== undefined && { delegation: { ...delegation, serve: serveIn(basis.key) } }),
          agent: agent.name,
          spec: specOf(agent.name),
        });
        delegates.set(basis.key, delegate);
        if (delegation !== undefined) delegating.add(basis.key);
        return { session: delegate, [Symbol.asyncDispose]: () => Promise.resolve() };
      },
    },
  });
  onTestFinished(async () => {
    await session.shutDown({ graceMs: 0 });
    const left = pids.filter(isRunning);
    if (left.length > 0) throw new Error(`processes of the test still run: ${left.join(', ')}`);
  });
  await session.open();
  return {
    session,
    store,
    events,
    pids,
    initialized,
    delegates,
    delegating,
    call: async (name, input = {}, caller = key) => {
      const server = servers.get(caller);
      if (server === undefined) throw new Error('the agent was given no tools');
      const text = await server.call({ name, input }, new AbortController().signal);
      return JSON.parse(text) as Result;
    },
    state: async (of = session.sessionId) => {
      await session.run?.stored();
      const head = await store.head(of);
      if (head === undefined) throw new Error('it is not stored');
      return (await readSession(store, head)).state;
    },
    eventsOf: (of) => happened.filter(({ sessionId }) => sessionId === of).map(({ event }) => event),
    event: (fits) => {
      const found = events.find(fits);
      if (found !== undefined) return Promise.resolve(found);
      return new Promise((resolve) => {
        listeners.add((event) => {
          if (fits(event)) resolve(event);
        });
      });
    },
  };
}

/** Whether a process runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
