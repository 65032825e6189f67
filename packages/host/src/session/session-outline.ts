import { eventLength } from '../event/event-length.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import { reduce } from '../state/reduce.ts';
import { emptyState, type SessionState } from '../state/session-state.ts';
import { titleOf } from '../state/title.ts';

/** What lists show of a session that is open, and what is needed to go on with it, from its events. */
export class SessionOutline {
  #view: SessionState = emptyState;
  #sessionId: string | undefined;
  #additionalDirectories: readonly string[] = [];
  #updatedAt = 0;
  #canFork = false;
  #lastEvent = 0;
  #eventsLength = 0;

  /** What the agent calls it, else how it began. */
  get title(): string | undefined {
    return titleOf(this.#view);
  }

  /** What its agent calls it now. */
  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  get additionalDirectories(): readonly string[] {
    return this.#additionalDirectories;
  }

  get updatedAt(): number {
    return this.#updatedAt;
  }

  /** Whether its agent said that it can fork sessions. */
  get canFork(): boolean {
    return this.#canFork;
  }

  /** Its number. */
  get lastEvent(): number {
    return this.#lastEvent;
  }

  /** About how many characters the events have that were measured. */
  get eventsLength(): number {
    return this.#eventsLength;
  }

  measure(event: LoggedEvent): void {
    this.#eventsLength += eventLength(event);
  }

  take(event: LoggedEvent): void {
    // What the AAP server stores for itself is sent to no client.
    if (event.type !== 'aap') this.#lastEvent = event.seq;
    this.#updatedAt = event.time;
    if (event.type === 'agent-start') {
      const { sessionCapabilities = {}, loadSession } = event.capabilities;
      const canGoOn = sessionCapabilities.resume !== undefined || loadSession === true;
      // ACP's draft; the stable protocol does not know it yet.
      this.#canFork = canGoOn && 'fork' in sessionCapabilities && sessionCapabilities.fork !== null;
    }
    if (event.type === 'session') {
      this.#sessionId = event.sessionId;
      this.#additionalDirectories = event.additionalDirectories ?? [];
    }
    // Of all that is said, only how it began and the title are held.
    const isTitle = event.type === 'turn-start' ? this.title === undefined : saysTitle(event);
    if (isTitle) this.#view = reduce(this.#view, event);
  }
}

function saysTitle(event: LoggedEvent): boolean {
  if (event.type !== 'update') return false;
  const { update } = event;
  return (
    typeof update === 'object' &&
    update !== null &&
    'sessionUpdate' in update &&
    update.sessionUpdate === 'session_info_update'
  );
}
