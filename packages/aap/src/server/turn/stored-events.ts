import type { AapSessionStore } from '../aap-session-store.ts';
import { parseAapSessionRecord, type AapSessionRecord } from '../session/aap-session-record.ts';
import type { StoredEvents } from './live-turn.ts';

/**
 * The events of a turn as the store has them, piece by piece: no more is read than is taken.
 */
export async function* readTurnEvents(
  store: AapSessionStore,
  sessionId: string,
  turnId: string,
): AsyncGenerator<StoredEvents, void, void> {
  const slot = new Slot();
  const reading = store
    .read(sessionId, (value) => {
      const record = parseAapSessionRecord(value);
      const found = record && eventsOf(record, turnId);
      return found && slot.put(found);
    })
    .then(
      () => slot.end(),
      (error: unknown) => slot.end(error),
    );
  try {
    for (;;) {
      const events = await slot.take();
      if (events === undefined) return;
      yield events;
    }
  } finally {
    slot.close();
    await reading;
  }
}

/** The events of a turn that a record holds. */
export function eventsOf(record: AapSessionRecord, turnId: string): StoredEvents | undefined {
  switch (record.type) {
    case 'turn-start':
      return record.turnId === turnId ? { from: 1, events: [{ event: 'turn_start', turnId }] } : undefined;
    case 'events':
      return record.turnId === turnId ? record : undefined;
    case 'turn-stop': {
      const { type: _, turnId: id, time: __, seq, ...outcome } = record;
      return id === turnId ? { from: seq, events: [{ event: 'turn_stop', ...outcome }] } : undefined;
    }
    case 'created':
    case 'resolved':
    case 'changed':
    case 'owner':
    case 'state':
      return undefined;
  }
}

/** Room for one piece, between who reads and who takes. */
class Slot {
  #piece: StoredEvents | undefined;
  #outcome: { readonly error?: unknown } | undefined;
  #isClosed = false;
  #wakeTaker: () => void = () => undefined;
  #wakePutter: () => void = () => undefined;

  /** Settles when the next piece may come. */
  put(piece: StoredEvents): Promise<void> {
    this.#piece = piece;
    this.#wakeTaker();
    return new Promise((resolve, reject) => {
      const next = (): void => (this.#isClosed ? reject(new Error('no longer needed')) : resolve());
      this.#wakePutter = next;
      if (this.#isClosed) next();
    });
  }

  async take(): Promise<StoredEvents | undefined> {
    if (this.#piece === undefined && this.#outcome === undefined) {
      await new Promise<void>((resolve) => {
        this.#wakeTaker = resolve;
      });
    }
    const piece = this.#piece;
    if (piece === undefined) {
      const cause = this.#outcome?.error;
      if (cause === undefined) return undefined;
      throw new Error('the store could not be read', { cause });
    }
    this.#piece = undefined;
    this.#wakePutter();
    return piece;
  }

  end(error?: unknown): void {
    this.#outcome ??= { error };
    this.#wakeTaker();
  }

  /** The reader has stopped. */
  close(): void {
    this.#isClosed = true;
    this.#wakePutter();
  }
}
