import type { AapDeltas, LoggedEntry, LoggedEvent } from '@parley/host';
import { isJsonObject } from '@parley/wire';

/** What an AAP session adds to its event log at once. */
export interface Addition {
  /** What lists show of the session from now on. */
  readonly head?: unknown;
  readonly records: readonly unknown[];
}

/**
 * Writes records of an AAP session as entries of its event log, and reads them again. Text and thoughts become updates as the
 * agent sends them, so that they are stored once and all clients of the hub show them; all else is an `aap` event.
 */
export class RecordWriter {
  #block: { readonly turnId: string; readonly count: number } = { turnId: '', count: 0 };

  /** The entries for an addition: one, unless text and something else came together. */
  entriesOf({ head, records }: Addition): readonly LoggedEntry[] {
    const [record, ...others] = records;
    const deltas = others.length === 0 && head === undefined ? toTurnEvents(record) : undefined;
    if (deltas === undefined) {
      return [{ type: 'aap', ...(head !== undefined && { head }), records }];
    }
    return this.#split(deltas);
  }

  #split({ turnId, from, events }: TurnEvents): readonly LoggedEntry[] {
    const entries: LoggedEntry[] = [];
    for (let index = 0; index < events.length;) {
      const kind = kindOf(events[index]);
      let end = index + 1;
      while (end < events.length && kindOf(events[end]) === kind) end += 1;
      const run = events.slice(index, end);
      if (kind === 'other') {
        if (this.#block.turnId !== turnId || run.some(endsBlock)) {
          this.#block = { turnId, count: this.#block.turnId === turnId ? this.#block.count + 1 : 0 };
        }
        entries.push({ type: 'aap', records: [{ type: 'events', turnId, from: from + index, events: run }] });
      } else {
        const deltas = run.map((event) => (hasDelta(event) ? event.delta : ''));
        entries.push(this.#toUpdate(kind, deltas, { turnId, from: from + index }));
      }
      index = end;
    }
    return entries;
  }

  #toUpdate(
    kind: 'text_delta' | 'thinking_delta',
    deltas: readonly string[],
    place: Pick<AapDeltas, 'turnId' | 'from'>,
  ): LoggedEntry {
    const { turnId } = place;
    if (this.#block.turnId !== turnId) this.#block = { turnId, count: 0 };
    const [first = '', ...others] = deltas;
    return {
      type: 'update',
      update: {
        sessionUpdate: kind === 'text_delta' ? 'agent_message_chunk' : 'agent_thought_chunk',
        content: { type: 'text', text: others.length === 0 ? first : deltas.join('') },
        messageId: `${turnId}.${String(this.#block.count)}`,
      },
      aap: { ...place, ...(others.length > 0 && { lengths: deltas.map(({ length }) => length) }) },
    };
  }
}

/** The records of an AAP session that an event of its event log holds. */
export function recordsIn(event: LoggedEvent): readonly unknown[] {
  if (event.type === 'aap') return event.records;
  if (event.type !== 'update' || event.aap === undefined) return [];
  const { turnId, from, lengths } = event.aap;
  const { update } = event;
  const text =
    isJsonObject(update) && isJsonObject(update['content']) ? update['content']['text'] : undefined;
  if (!isJsonObject(update) || typeof text !== 'string') return [];
  const name = update['sessionUpdate'] === 'agent_message_chunk' ? 'text_delta' : 'thinking_delta';
  let start = 0;
  const events = (lengths ?? [text.length]).map((length) => {
    const delta = text.slice(start, start + length);
    start += length;
    return { event: name, delta };
  });
  return [{ type: 'events', turnId, from, events }];
}

/** Whether a line of an event log may hold records of an AAP session. */
export function mayHoldRecords(json: string): boolean {
  return json.includes('"aap"');
}

interface TurnEvents {
  readonly turnId: string;
  readonly from: number;
  readonly events: readonly unknown[];
}

/** The events of a turn with text among them. What else a record holds is the server's own business. */
function toTurnEvents(record: unknown): TurnEvents | undefined {
  if (!isJsonObject(record) || record['type'] !== 'events') return undefined;
  const { turnId, from, events } = record;
  if (typeof turnId !== 'string' || typeof from !== 'number' || !Array.isArray(events)) return undefined;
  return events.some(hasDelta) ? { turnId, from, events } : undefined;
}

function kindOf(event: unknown): 'text_delta' | 'thinking_delta' | 'other' {
  return hasDelta(event) ? event.event : 'other';
}

function hasDelta(
  event: unknown,
): event is { readonly event: 'text_delta' | 'thinking_delta'; readonly delta: string } {
  if (typeof event !== 'object' || event === null || !('event' in event) || !('delta' in event)) return false;
  return (
    (event.event === 'text_delta' || event.event === 'thinking_delta') && typeof event.delta === 'string'
  );
}

function endsBlock(event: unknown): boolean {
  return isJsonObject(event) && event['event'] === 'block_end';
}
