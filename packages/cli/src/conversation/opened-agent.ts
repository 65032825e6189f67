import {
  superviseAgent,
  type AgentHandle,
  type OpenSessionOptions,
  type Session,
  type StartOptions,
} from '@parley/host';

/** The agent of a conversation, started once or kept alive. */
export interface OpenedAgent {
  /** As it was started last. */
  readonly handle: AgentHandle;
  /** Whether it is there, or will be again. */
  isAlive(): boolean;
  openSession(options: OpenSessionOptions): Promise<Session>;
  end(): Promise<unknown>;
}

/** Starts an agent. */
export type StartAgent = (options: StartOptions) => Promise<AgentHandle>;

/** Starts an agent whose end is the end. */
export async function openOnce(start: StartAgent, options: StartOptions): Promise<OpenedAgent> {
  const handle = await start(options);
  return {
    handle,
    isAlive: () => !handle.isOver,
    openSession: (wanted) => handle.openSession(wanted),
    end: () => handle.end(),
  };
}

/** Starts an agent that is started again when it ends by itself. */
export async function openKeptAlive(start: StartAgent, options: StartOptions): Promise<OpenedAgent> {
  const agent = await superviseAgent({ open: start, ...options });
  return {
    get handle() {
      return agent.handle;
    },
    isAlive: () => agent.state === 'starting' || agent.state === 'ready',
    openSession: (wanted) => agent.openSession(wanted),
    end: () => agent.end(),
  };
}
