import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HostError, toSignInMethods, type AgentHandle, type HostEvent } from '@parley/host';
import type { AgentCard, SignInState } from '@parley/host/desk';
import { secretsIn } from '../bridge/launch-plan.ts';
import { leaveSession } from '../bridge/leave-session.ts';
import { Redaction } from '../bridge/redaction.ts';
import { GatewayError } from '../gateway-error.ts';
import type { DeskLimits } from '../limits.ts';
import type { DeskAgentSource, DeskOptions } from './desk-options.ts';
import { commandsOf } from './sign-in.ts';
import { startAgent } from './start-agent.ts';
import { TextTail } from './text-tail.ts';

/** What is known of an agent that somebody looked at. */
export interface AgentLook {
  readonly card: AgentCard;
  readonly signIn: SignInState;
}

/** What agents say of themselves: each is started for it when somebody asks, and ended. */
export class AgentLooks {
  readonly #desk: DeskOptions;
  readonly #limits: DeskLimits;
  readonly #looks = new Map<string, AgentLook>();
  readonly #running = new Map<string, Promise<AgentLook>>();
  readonly #ending = new AbortController();
  readonly #onLook: () => void;

  /** @param onLook Told when more is known of an agent. */
  constructor(desk: DeskOptions, limits: DeskLimits, onLook: () => void) {
    this.#desk = desk;
    this.#limits = limits;
    this.#onLook = onLook;
  }

  /** What the last look at an agent showed. */
  get(name: string): AgentLook | undefined {
    return this.#looks.get(name);
  }

  /**
   * Starts an agent, asks what it offers, and ends it. Nobody is signed in, and nothing is prompted. Those who ask
   * meanwhile are told the same. An agent that cannot be started has a card that says why.
   *
   * @throws {GatewayError} `not-installed`; or `overloaded`: too many agents are looked at.
   */
  look(source: DeskAgentSource): Promise<AgentLook> {
    const { name } = source;
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    if (source.access === undefined) {
      throw new GatewayError('not-installed', `the agent ${JSON.stringify(name)} is not installed here`);
    }
    if (this.#running.size >= this.#limits.looks) {
      throw new GatewayError('overloaded', `${String(this.#limits.looks)} agents are looked at already`);
    }
    const look = this.#look(source).finally(() => {
      this.#running.delete(name);
    });
    this.#running.set(name, look);
    return look;
  }

  /** Ends the looks that are under way. Never rejects. */
  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.allSettled(this.#running.values());
  }

  async #look(source: DeskAgentSource): Promise<AgentLook> {
    const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(this.#limits.lookMs)]);
    // A folder of its own: what a project tells agents to do has no part in this.
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-look-')));
    try {
      const look = await lookAt(source, { desk: this.#desk, limits: this.#limits, folder, signal });
      this.#looks.set(source.name, look);
      this.#onLook();
      return look;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

interface LookPlace {
  readonly desk: DeskOptions;
  readonly limits: DeskLimits;
  readonly folder: string;
  readonly signal: AbortSignal;
}

async function lookAt(source: DeskAgentSource, place: LookPlace): Promise<AgentLook> {
  const { desk, limits, folder, signal } = place;
  const redaction = new Redaction(secretsIn(source));
  const log = new TextTail(limits.logLength);
  const begun = performance.now();
  let known: Pick<AgentCard, 'startMs' | 'signInMethods'> = { startMs: 0, signInMethods: [] };
  try {
    const seat = await desk.pool.acquire(
      { sessionId: `look at ${source.name}`, stop: async () => {} },
      { signal },
    );
    try {
      await using handle = await start(source, place, (event) => {
        if (event.type === 'stderr') log.add(redaction.text(event.text));
      });
      known = { startMs: Math.round(performance.now() - begun), ...toCardOf(handle, source) };
      const session = await handle.openSession({ cwd: folder, signal });
      const { modes, configOptions } = session;
      await leaveSession(handle, session, signal);
      const card: AgentCard = {
        ...known,
        time: Date.now(),
        ...(modes !== undefined && { modes }),
        ...(configOptions !== undefined && { configOptions }),
        log: log.text,
      };
      return { card, signIn: known.signInMethods.length === 0 ? 'not-needed' : 'signed-in' };
    } finally {
      seat.release();
    }
  } catch (error) {
    const card = { ...known, time: Date.now(), log: log.text };
    if (error instanceof HostError && error.code === 'auth-required') return { card, signIn: 'needed' };
    return { card: { ...card, failure: redaction.text(failureOf(error, place)) }, signIn: 'unknown' };
  }
}

function start(
  source: DeskAgentSource,
  { desk, folder, signal }: LookPlace,
  onEvent: (event: HostEvent) => void,
): Promise<AgentHandle> {
  const { startTimeoutMs, openTimeoutMs, requestTimeoutMs } = desk;
  return startAgent(
    source,
    { cwd: folder, env: {} },
    {
      signal,
      clientInfo: desk.info,
      policy: { approve: { level: 'none', given: true }, rules: [] },
      serves: { files: false, terminals: false, signInTerminal: true },
      onEvent,
      ...(startTimeoutMs !== undefined && { startTimeoutMs }),
      ...(openTimeoutMs !== undefined && { openTimeoutMs }),
      ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
    },
  );
}

function toCardOf(handle: AgentHandle, source: DeskAgentSource): Omit<AgentCard, 'time' | 'startMs' | 'log'> {
  const { info, protocolVersion, capabilities, authMethods } = handle;
  const signInMethods = toSignInMethods(authMethods);
  return {
    ...(info !== undefined && { info }),
    protocolVersion,
    capabilities,
    signInMethods,
    signInCommands: commandsOf(source, signInMethods),
  };
}

function failureOf(error: unknown, { signal, limits }: LookPlace): string {
  const isTimeout = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
  if (isTimeout) return `it was not ready after ${String(limits.lookMs / 1000)} s`;
  return error instanceof Error ? error.message : String(error);
}
