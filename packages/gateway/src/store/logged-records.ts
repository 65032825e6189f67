import type { AapDeltas, LoggedEntry, LoggedEvent } from '@parley/host';
import { isJsonObject } from '@parley/wire';
import { CallTexts } from './call-texts.ts';

/** Records that are added to an AAP session's event log together. */
export interface Addition {
  /** What lists show of the session from now on. */
  readonly head?: unknown;
  readonly records: readonly unknown[];
}

/**
 * Writes records of an AAP session as entries of its event log, and reads them back. Text and thoughts become updates
 * like those of agents, so that they are stored once and all clients of the hub show them; all else is an `aap`
 * event.
 */
export class LoggedRecordWriter {
  /** Number of messages in the current turn: each has an id of its own. */
  #blocks = { turnId: '', count: 0 };
  readonly #texts: CallTexts;

  /** @param texts Texts that tool results may refer to. @default none */
  constructor(texts: CallTexts = new CallTexts()) {
    this.#texts = texts;
  }

  /** Converts an addition to entries: one, or several if text and other records came together. */
  entriesOf({ head, records: whole }: Addition): readonly LoggedEntry[] {
    const records = whole.map((each) => this.#texts.shorten(each));
    const [record, ...others] = records;
    if (isTurnStop(record)) this.#texts.clear();
    const turn = others.length === 0 && head === undefined ? toTurnEvents(record) : undefined;
    if (turn?.events.some(hasDelta) === true) return this.#split(turn);
    if (turn?.events.some(endsBlock) !== false) this.#blocks.count += 1;
    return [{ type: 'aap', ...(head !== undefined && { head }), records }];
  }

  #split({ turnId, from, events }: TurnEvents): readonly LoggedEntry[] {
    const entries: LoggedEntry[] = [];
    for (let index = 0; index < events.length;) {
      const kind = kindOf(events[index]);
      let end = index + 1;
      while (end < events.length && kindOf(events[end]) === kind) end += 1;
      const run = events.slice(index, end);
      if (kind === 'other') {
        if (run.some(endsBlock)) this.#blocks.count += 1;
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
    if (this.#blocks.turnId !== turnId) this.#blocks = { turnId, count: 0 };
    const [first = '', ...others] = deltas;
    return {
      type: 'update',
      update: {
        sessionUpdate: kind === 'text_delta' ? 'agent_message_chunk' : 'agent_thought_chunk',
        content: { type: 'text', text: others.length === 0 ? first : deltas.join('') },
        messageId: `${turnId}.${String(this.#blocks.count)}`,
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

/** Whether a line of an event log may contain records of an AAP session. */
export function mayHoldRecords(json: string): boolean {
  return json.includes('"aap"');
}

/** What is noted of a turn that is over need not stay in memory. */
function isTurnStop(record: unknown): boolean {
  return isJsonObject(record) && record['type'] === 'turn-stop';
}

interface TurnEvents {
  readonly turnId: string;
  readonly from: number;
  readonly events: readonly unknown[];
}

/** The events of a turn in a record. Other records are for the server only. */
function toTurnEvents(record: unknown): TurnEvents | undefined {
  if (!isJsonObject(record) || record['type'] !== 'events') return undefined;
  const { turnId, from, events } = record;
  if (typeof turnId !== 'string' || typeof from !== 'number' || !Array.isArray(events)) return undefined;
  return { turnId, from, events };
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

/** Whether text after an event is another message. */
function endsBlock(event: unknown): boolean {
  return !isJsonObject(event) || event['event'] !== 'extension' || event['name'] === 'image';
}
