import type { HostEvent } from '../event/host-event.ts';
import type { SessionPhase, SessionPhaseEvent } from '../event/session-event.ts';
import { newSession, progressAfter, type SessionProgress } from './session-progress.ts';

/** Where the sessions of one agent stand, told whenever it changes. */
export class SessionStates {
  readonly #tell: (change: Omit<SessionPhaseEvent, 'type'>) => void;
  readonly #progress = new Map<string, SessionProgress>();

  constructor(tell: (change: Omit<SessionPhaseEvent, 'type'>) => void) {
    this.#tell = tell;
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

  /** A session has another state for a reason that no event of its own tells. */
  become(sessionId: string, state: SessionPhase): void {
    if (state === 'closed' || state === 'failed') this.#progress.delete(sessionId);
    this.#tell({ sessionId, state });
  }

  /** None of them will be open again. */
  failAll(): void {
    for (const sessionId of this.#progress.keys()) this.become(sessionId, 'failed');
  }
}
