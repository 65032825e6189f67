import type { HostEvent } from '../../event/host-event.ts';
import type { AgentRestart, HubSession, HubSessionState } from '../../hub/hub-session.ts';
import type { Redaction } from '../../redaction/redaction.ts';
import type { SessionFacts } from '../../state/session-facts.ts';
import type { LiveTerminals } from '../live-terminals.ts';
import type { SessionOptions } from '../session-options.ts';
import { TextTail } from '../text-tail.ts';
import type { OnDemandAgent } from './on-demand-agent.ts';

/** What the events of an agent change. */
export interface SessionLifeParts {
  /** Returns the facts of the session. */
  readonly facts: () => SessionFacts;
  readonly terminals: LiveTerminals;
  readonly agent: () => OnDemandAgent;
}

/** The state of a session's agent, as lists show it, and when to end the agent. */
export class SessionLife {
  readonly #options: SessionOptions;
  readonly #parts: SessionLifeParts;
  readonly #log: TextTail;
  #process: ProcessState = { state: 'kept', hasBegun: false };
  #updatedAt: number;
  /** What lists showed last. */
  #listed: HubSessionState = 'kept';
  /** Why what happens cannot be stored, while it cannot. */
  #unstored: string | undefined;

  constructor(options: SessionOptions, parts: SessionLifeParts) {
    this.#options = options;
    this.#parts = parts;
    this.#updatedAt = options.updatedAt;
    this.#log = new TextTail(options.limits.logLength);
  }

  get shown(): Pick<HubSession, 'state' | 'failure' | 'restart' | 'waitsBehind' | 'sandbox' | 'updatedAt'> {
    const facts = this.#parts.facts();
    const updatedAt = Math.max(this.#updatedAt, facts.time);
    if (this.#unstored !== undefined) return { state: 'failed', failure: this.#unstored, updatedAt };
    const { failure, waitsBehind } = this.#process;
    const { state } = this;
    const { process } = facts.agentLife;
    return {
      state,
      ...(failure !== undefined && { failure }),
      ...(state === 'starting' && process.state === 'restarting' && { restart: toRestart(process) }),
      ...(waitsBehind !== undefined && { waitsBehind }),
      ...(facts.sandbox !== undefined && { sandbox: facts.sandbox }),
      updatedAt,
    };
  }

  /** That of its agent's process, and, from its first event on, that of its events. */
  get state(): HubSessionState {
    const { state, hasBegun } = this.#process;
    return hasBegun ? toState(this.#parts.facts()) : state;
  }

  /** The end of what the agent wrote to standard error. */
  get log(): string {
    return this.#log.text;
  }

  /** Whether events of the session cannot be stored. */
  get isUnstored(): boolean {
    return this.#unstored !== undefined;
  }

  /** Applies an event that is not logged; logged events change the facts. */
  take(event: HostEvent): void {
    if (event.type === 'update') return;
    if (this.#process.state === 'starting') this.#process = { state: 'starting', hasBegun: true };
    switch (event.type) {
      case 'stderr':
        this.#log.add(event.text);
        this.#options.onLog?.(event.text);
        break;
      case 'session-lost':
        void this.#parts.agent().end('its agent could not continue it');
        break;
      case 'terminal-end':
        this.#parts.terminals.end(event.terminalId);
        break;
      case 'agent-end':
        this.#parts.terminals.clear();
        break;
      case 'agent-restart':
        this.#options.onChange?.();
        break;
      case 'agent-given-up':
        void this.#parts.agent().end(event.message);
        break;
      default:
        break;
    }
    if (this.state !== this.#listed) this.#list();
  }

  /** The agent has to wait for a slot, behind this many sessions. */
  waitBehind(ahead: number): void {
    this.#process = { ...this.#process, waitsBehind: ahead };
    this.#options.onChange?.();
  }

  /** Applies a change of the agent's process. */
  become(state: HubSessionState, failure?: string): void {
    // Without an agent no event log is open; opening it says whether it can be written.
    if (state === 'kept' || state === 'failed') this.#unstored = undefined;
    this.#process = {
      state,
      hasBegun: false,
      ...(failure !== undefined && { failure: this.#redaction.text(failure) }),
    };
    this.#updatedAt = Math.max(this.#updatedAt, Date.now());
    if (state === 'elsewhere') this.#options.onElsewhere?.();
    this.#list();
    if (state !== 'kept' && state !== 'failed' && state !== 'elsewhere') return;
    this.#options.frames?.rest();
    this.#options.onAgentEnd?.();
  }

  /** While nothing can be stored, every client sees why; the turn that runs is being cancelled. */
  followEventLog(error?: Error): void {
    this.#unstored = error === undefined ? undefined : this.#redaction.text(error.message);
    const { onUnstored, runtime } = this.#options;
    if (error !== undefined) (onUnstored ?? runtime.onFault)?.(error);
    this.#options.onChange?.();
  }

  get #redaction(): Redaction {
    return this.#options.variables.redaction;
  }

  #list(): void {
    this.#listed = this.state;
    this.#options.onChange?.();
  }
}

/** The process of a session's agent. */
interface ProcessState {
  readonly state: HubSessionState;
  /** Whether the agent has started and reported an event: events then determine the state. */
  readonly hasBegun: boolean;
  readonly failure?: string;
  readonly waitsBehind?: number;
}

/** The state of a session whose agent is running or restarting. */
function toState({ phase, agentLife }: SessionFacts): HubSessionState {
  if (phase !== 'closed' && phase !== 'failed') return phase;
  return agentLife.session === 'closed' ? 'stopping' : 'starting';
}

function toRestart({ attempt, attempts, at }: AgentRestart): AgentRestart {
  return { attempt, attempts, at };
}
