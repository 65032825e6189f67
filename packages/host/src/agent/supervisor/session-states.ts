import type { HostEvent } from '../../event/host-event.ts';
import type { SessionPhase, SessionPhaseEvent } from '../../event/session-event.ts';
import { newSession, progressAfter, type SessionProgress } from './session-progress.ts';

/** The states of the sessions of one agent, emitted at each change. */
export class SessionStates {
  readonly #emit: (change: Omit<SessionPhaseEvent, 'type'>) => void;
  readonly #progress = new Map<string, SessionProgress>();

  constructor(emit: (change: Omit<SessionPhaseEvent, 'type'>) => void) {
    this.#emit = emit;
  }

  /** Something happened. */
  follow(event: HostEvent): void {
    if (event.type === 'update' || !('sessionId' in event)) return;
    const { sessionId } = event;
    const before = this.#progress.get(sessionId);
    const after = progressAfter(before ?? newSession, event);
    this.#progress.set(sessionId, after);
    if (before?.state !== after.state) this.become(sessionId, after.state);
  }

  /** A session has another state for a reason that no event of its own has. */
  become(sessionId: string, state: SessionPhase): void {
    if (state === 'closed' || state === 'failed') this.#progress.delete(sessionId);
    this.#emit({ sessionId, state });
  }

  /** None of them will be open again. */
  failAll(): void {
    for (const sessionId of this.#progress.keys()) this.become(sessionId, 'failed');
  }
}
