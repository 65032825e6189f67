import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultyAgent } from '@parley/conformance';
import { RpcError } from '@parley/wire';
import {
  HostError,
  openAgent,
  superviseAgent,
  type HostEvent,
  type OpenAgentOptions,
  type RestartOptions,
  type AgentSession,
  type SupervisedAgent,
} from '../src/index.ts';
import { approve, codes, texts } from './harness.ts';

/** Options of {@link meet}. By default, the agent gets two turns in a new session. */
export interface Meeting extends Partial<OpenAgentOptions> {
  /** The words of the first prompt; "wait" makes an agent wait for a cancel. @default 'one' */
  readonly prompt?: string;
  /** Cancels the first turn, with that grace, when this has come. */
  readonly cancelAt?: HostEvent['type'];
  readonly graceMs?: number;
  /** Goes on with a session, and does not open a new one. */
  readonly resumes?: boolean;
  /** @default 2, as long as the agent is there */
  readonly turns?: 1;
  /** Waits for an event of this type, after the first turn or, without a session, after the start. */
  readonly waitsFor?: HostEvent['type'];
  /** Opens one session more. */
  readonly opensTwo?: boolean;
  /** Closes the session before the end. */
  readonly closes?: boolean;
  /** Whether an agent that ends by itself is started again. @default it is not */
  readonly restart?: RestartOptions;
}

/** The outcome of each step: its stop reason, or the code of its error. */
export interface Outcome {
  readonly start?: string | number;
  readonly session?: string | number;
  readonly first?: string | number;
  readonly second?: string | number;
  readonly another?: string | number;
  /** The codes of the diagnostics, each once. */
  readonly diagnostics?: readonly string[];
  /** The agent's messages other than the expected text. */
  readonly said?: readonly string[];
}

/** An outcome, and all that was heard on the way. */
export interface Met {
  readonly outcome: Outcome;
  readonly events: readonly HostEvent[];
}

/**
 * Runs a test agent with a fault, restarts it as requested, and ends it. Processes that it starts have `word` on
 * their command line.
 */
export async function meet(fault: string, meeting: Meeting = {}, word = 'met'): Promise<Met> {
  const events: HostEvent[] = [];
  const outcome: Record<string, unknown> = {};
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'parley-fault-')));
  let session: AgentSession | undefined;
  const {
    prompt = 'one',
    cancelAt,
    graceMs = 1,
    turns,
    waitsFor,
    resumes,
    opensTwo,
    closes,
    restart,
    ...options
  } = meeting;
  let come = (): void => {};
  const came = new Promise<void>((resolve) => {
    come = resolve;
    if (waitsFor === undefined) resolve();
  });
  const onEvent = (event: HostEvent): void => {
    events.push(event);
    if (event.type === waitsFor) come();
    if (event.type === cancelAt && outcome['first'] === undefined) void session?.cancel({ graceMs });
  };
  const [command, ...args] = faultyAgent(fault);
  const clientInfo = { name: 'test', version: '1.0.0' };
  const policy = approve('reads');
  let agent: SupervisedAgent | undefined;
  try {
    const start = { command, args: [...args, word], cwd, clientInfo, policy, ...options };
    agent = await step('start', () =>
      superviseAgent({
        open: (more) => openAgent({ ...start, ...more }),
        onEvent,
        restart: restart ?? { attempts: 0 },
      }),
    );
    session = await step('session', () => agent?.openSession({ cwd, ...(resumes === true && kept) }));
    const opened = session;
    if (opened !== undefined) {
      outcome['first'] = await turn(opened, prompt);
      await came;
      const isThere = restart !== undefined || agent?.connection.connection.signal.aborted === false;
      if (isThere && turns !== 1) outcome['second'] = await turn(opened, 'two');
      if (opensTwo === true) await step('another', () => agent?.openSession({ cwd }));
      if (closes === true) await opened.close();
    }
    await came;
    await agent?.end();
    return { outcome: { ...outcome, ...heard(events, prompt) }, events };
  } finally {
    await agent?.end();
    await rm(cwd, { recursive: true, force: true });
  }

  async function step<T>(name: string, act: () => Promise<T> | undefined): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      outcome[name] = codeOf(error);
      return undefined;
    }
  }
}

const kept = { resume: { sessionId: 'session-1' } };

async function turn(session: AgentSession, text: string): Promise<string | number> {
  try {
    const { stopReason, rawStopReason, agentEnded } = await session.prompt([{ type: 'text', text }]);
    if (rawStopReason !== undefined) return `${stopReason}: ${rawStopReason}`;
    return agentEnded === true ? `${stopReason}, agent ended` : stopReason;
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error: unknown): string | number {
  if (error instanceof HostError || error instanceof RpcError) return error.code;
  throw error;
}

function heard(events: readonly HostEvent[], prompt: string): Outcome {
  const reported = new Set(codes(events));
  const said = texts(events).filter((text) => text !== prompt.slice(0, text.length) && text !== 'two');
  return {
    ...(reported.size > 0 && { diagnostics: [...reported] }),
    ...(said.length > 0 && { said: said.length > 20 ? [`${said.length} texts`] : said }),
  };
}
