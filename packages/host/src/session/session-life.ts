import type { HostEvent } from '../event/host-event.ts';
import type { AgentRestart, HubSession, HubSessionState } from '../hub/hub-session.ts';
import type { Redaction } from '../redaction/redaction.ts';
import type { SessionFacts } from '../state/session-facts.ts';
import type { LiveTerminals } from './live-terminals.ts';
import type { OnDemandAgent } from './on-demand-agent.ts';
import type { SessionOptions } from './session-options.ts';
import { TextTail } from './text-tail.ts';

/** What the events of an agent change. */
export interface SessionLifeParts {
  /** What the events of the session come to. */
  readonly facts: () => SessionFacts;
  readonly terminals: LiveTerminals;
  readonly agent: () => OnDemandAgent;
}

/** How a session's agent fares: what lists show of that, and when it is ended for it. */
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

  get shown(): Pick<HubSession, 'state' | 'failure' | 'restart' | 'waitsBehind' | 'updatedAt'> {
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

  /** Whether what happens cannot be stored. */
  get isUnstored(): boolean {
    return this.#unstored !== undefined;
  }

  /** Takes what has happened with the agent; where it is logged, the facts have it. */
  take(event: HostEvent): void {
    if (event.type === 'update') return;
    if (this.#process.state === 'starting') this.#process = { state: 'starting', hasBegun: true };
    switch (event.type) {
      case 'stderr':
        this.#log.add(event.text);
        this.#options.onLog?.(event.text);
        break;
      case 'session-state':
        // While it is being opened, a refusal leads to the next way, and at last to a new session.
        if (event.state === 'failed' && this.#parts.agent().run !== undefined) {
          void this.#parts.agent().end('its agent could not go on with it');
        }
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

  /** Its agent cannot be started before those of so many other sessions. */
  waitBehind(ahead: number): void {
    this.#process = { ...this.#process, waitsBehind: ahead };
    this.#options.onChange?.();
  }

  /** Takes what became of the process of its agent. */
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
  /** It was started, and something has happened with it: events say more than this. */
  readonly hasBegun: boolean;
  readonly failure?: string;
  readonly waitsBehind?: number;
}

/** Where a session stands whose agent runs, or is being started again. */
function toState({ phase, agentLife }: SessionFacts): HubSessionState {
  if (phase !== 'closed' && phase !== 'failed') return phase;
  return agentLife.session === 'closed' ? 'stopping' : 'starting';
}

function toRestart({ attempt, attempts, at }: AgentRestart): AgentRestart {
  return { attempt, attempts, at };
}
