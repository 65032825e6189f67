import type { HostEvent } from '../event/host-event.ts';
import type { SessionPhase } from '../event/session-event.ts';
import type { HubSession, HubSessionState } from '../hub/hub-session.ts';
import type { Redaction } from '../redaction/redaction.ts';
import type { LiveTerminals } from './live-terminals.ts';
import type { OnDemandAgent } from './on-demand-agent.ts';
import type { SessionOptions } from './session-options.ts';
import { SessionStatus } from './session-status.ts';
import { TextTail } from './text-tail.ts';

/** What the events of an agent change. */
export interface SessionLifeParts {
  readonly terminals: LiveTerminals;
  readonly agent: () => OnDemandAgent;
}

/** How a session's agent fares, from what happens with it: what lists show of that, and when it is ended for it. */
export class SessionLife {
  readonly #options: SessionOptions;
  readonly #parts: SessionLifeParts;
  readonly #status: SessionStatus;
  readonly #log: TextTail;
  /** Why what happens cannot be stored, while it cannot. */
  #unstored: string | undefined;

  constructor(options: SessionOptions, parts: SessionLifeParts) {
    this.#options = options;
    this.#parts = parts;
    this.#status = new SessionStatus(options.updatedAt);
    this.#log = new TextTail(options.limits.logLength);
  }

  get shown(): Pick<HubSession, 'state' | 'failure' | 'restart' | 'waitsBehind' | 'updatedAt'> {
    const { shown } = this.#status;
    return this.#unstored === undefined ? shown : { ...shown, state: 'failed', failure: this.#unstored };
  }

  /** The end of what the agent wrote to standard error. */
  get log(): string {
    return this.#log.text;
  }

  /** Whether what happens cannot be stored. */
  get isUnstored(): boolean {
    return this.#unstored !== undefined;
  }

  take(event: HostEvent): void {
    switch (event.type) {
      case 'stderr':
        this.#log.add(event.text);
        this.#options.onLog?.(event.text);
        break;
      case 'session-state':
        this.#follow(event.state);
        break;
      case 'terminal-end':
        this.#parts.terminals.end(event.terminalId);
        break;
      case 'agent-end':
        this.#parts.terminals.clear();
        break;
      case 'agent-restart':
        this.#status.restart(event.attempt, event.attempts, event.delayMs);
        this.#options.onChange?.();
        break;
      case 'agent-given-up':
        void this.#parts.agent().end(event.message);
        break;
      default:
        break;
    }
  }

  /** Its agent cannot be started before those of so many other sessions. */
  waitBehind(ahead: number): void {
    this.#status.waitBehind(ahead);
    this.#options.onChange?.();
  }

  become(state: HubSessionState, failure?: string): void {
    // Without an agent no event log is open; opening it says whether it can be written.
    if (state === 'kept' || state === 'failed') this.#unstored = undefined;
    this.#status.become(state, failure === undefined ? undefined : this.#redaction.text(failure));
    if (state === 'elsewhere') this.#options.onElsewhere?.();
    this.#options.onChange?.();
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

  #follow(state: SessionPhase): void {
    const agent = this.#parts.agent();
    switch (state) {
      case 'closed':
        // Its end is shown when its agent has ended, too.
        break;
      case 'failed':
        // While it is being opened, a refusal leads to the next way, and at last to a new session.
        if (agent.run !== undefined) void agent.end('its agent could not go on with it');
        break;
      case 'starting':
      case 'ready':
      case 'running':
      case 'waiting':
      case 'stopping':
        // What is on its way out says nothing new.
        if (agent.run !== undefined || this.#status.state === 'starting') this.become(state);
    }
  }
}
