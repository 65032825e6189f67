import type { LoggedEvent } from '@parley/host';
import { isJsonObject } from '@parley/wire';

/** The updates of tool calls that a record may refer to: so many before it. */
const updatesBack = 8;

/** Characters of the texts in an update that are compared. */
const comparedChars = 1024 * 1024;

/** Shorter texts are stored again rather than by reference. */
const minReferredChars = 256;

/** Values in one update or result that are compared. */
const mostValues = 10_000;

/** Marks a tool result that has references in place of texts. */
const mark = 'refersToUpdates';

/** Replaces a text: its parts, each of which is a text or a reference to one. */
const partsName = 'textParts';

/** A text in an update: how many updates of calls back, and the path to it. */
type Place = readonly [back: number, ...path: (string | number)[]];

/**
 * The latest updates of tool calls in an event log. The result of a call that an application receives consists of texts that its agent
 * sent: the agent's update is stored, and the record of the application refers to it.
 */
export class CallTexts {
  /** The newest last. */
  #updates: unknown[] = [];

  /** Takes each event of the event log, in order. */
  note(event: LoggedEvent): void {
    if (event.type !== 'update' || !isJsonObject(event.update)) return;
    const { sessionUpdate } = event.update;
    if (sessionUpdate !== 'tool_call' && sessionUpdate !== 'tool_call_update') return;
    this.#updates.push(event.update);
    if (this.#updates.length > updatesBack) this.#updates.shift();
  }

  /** Nothing is referred to that was noted so far. */
  clear(): void {
    this.#updates = [];
  }

  /**
   * Replaces texts of a record that earlier updates contain with references; returns the same record if there are
   * none.
   */
  shorten(record: unknown): unknown {
    if (!holdsResult(record) || this.#updates.length === 0) return record;
    const texts = this.#texts();
    if (texts.length === 0) return record;
    const shorten = (event: unknown): unknown => {
      if (!isResult(event) || mark in event) return event;
      const shortened = withReferences(event, texts);
      return isJsonObject(shortened) ? { ...shortened, [mark]: true } : event;
    };
    return { ...record, events: record.events.map(shorten) };
  }

  /** The original record. */
  restore(record: unknown): unknown {
    if (!holdsResult(record)) return record;
    const restore = (event: unknown): unknown => {
      if (!isResult(event) || event[mark] !== true) return event;
      const { [mark]: _, ...stored } = event;
      return this.#resolve(stored);
    };
    return { ...record, events: record.events.map(restore) };
  }

  #texts(): readonly (readonly [text: string, place: Place])[] {
    const texts: (readonly [string, Place])[] = [];
    let chars = 0;
    for (const [index, update] of this.#updates.toReversed().entries()) {
      for (const [text, path] of textsIn(update)) {
        chars += text.length;
        if (chars > comparedChars) return texts.toSorted(([one], [other]) => other.length - one.length);
        texts.push([text, [index, ...path]]);
      }
    }
    return texts.toSorted(([one], [other]) => other.length - one.length);
  }

  #resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item: unknown) => this.#resolve(item));
    if (!isJsonObject(value)) return value;
    const parts = value[partsName];
    if (Array.isArray(parts)) return parts.map((part: unknown) => this.#textAt(part)).join('');
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#resolve(item)]));
  }

  #textAt(part: unknown): string {
    if (typeof part === 'string') return part;
    const steps: readonly unknown[] = Array.isArray(part) ? part : [];
    const [back, ...path] = steps;
    let found = typeof back === 'number' ? this.#updates.at(-1 - back) : undefined;
    for (const name of path) {
      found = typeof found === 'object' && found !== null ? Reflect.get(found, String(name)) : undefined;
    }
    return typeof found === 'string' ? found : '';
  }
}

/** Whether a line of an event log may contain an update that a record refers to. */
export function mayBeReferredTo(json: string): boolean {
  // Agents may write it with spaces, and with escapes.
  return json.includes('tool_call') || json.includes('\\u');
}

interface HoldsEvents {
  readonly events: readonly unknown[];
}

function holdsResult(record: unknown): record is Readonly<Record<string, unknown>> & HoldsEvents {
  if (!isJsonObject(record) || record['type'] !== 'events') return false;
  const { events } = record;
  return Array.isArray(events) && events.some(isResult);
}

function isResult(event: unknown): event is Readonly<Record<string, unknown>> {
  return isJsonObject(event) && event['event'] === 'tool_result';
}

/** The longest text first, wherever it is: the rest around it is split by the shorter ones. */
function split(
  text: string,
  texts: readonly (readonly [text: string, place: Place])[],
): readonly (string | Place)[] {
  if (text.length < minReferredChars) return [text];
  for (const [index, [found, place]] of texts.entries()) {
    const at = text.indexOf(found);
    if (at < 0) continue;
    const others = texts.slice(index + 1);
    const before = split(text.slice(0, at), others);
    const after = split(text.slice(at + found.length), others);
    return [...before, place, ...after].filter((part) => part !== '');
  }
  return [text];
}

/** The long texts in a value, and where they are. */
function* textsIn(value: unknown): Generator<readonly [text: string, path: readonly (string | number)[]]> {
  const waiting: (readonly [unknown, readonly (string | number)[]])[] = [[value, []]];
  for (let count = 0; count < mostValues; count += 1) {
    const next = waiting.pop();
    if (next === undefined) return;
    const [item, path] = next;
    if (typeof item === 'string' && item.length >= minReferredChars) yield [item, path];
    if (typeof item !== 'object' || item === null) continue;
    for (const [name, field] of Object.entries<unknown>({ ...item })) waiting.push([field, [...path, name]]);
  }
}

/**
 * The value with references; undefined if there are none, it has too many values, or it contains something that looks
 * like a reference.
 */
function withReferences(value: unknown, texts: readonly (readonly [text: string, place: Place])[]): unknown {
  const seen: { values: number; references: number; isOdd: boolean } = {
    values: 0,
    references: 0,
    isOdd: false,
  };
  const map = (item: unknown): unknown => {
    seen.values += 1;
    if (seen.values > mostValues) return item;
    if (typeof item === 'string') {
      const parts = split(item, texts);
      if (parts.every((part) => typeof part === 'string')) return item;
      seen.references += 1;
      return { [partsName]: parts };
    }
    if (Array.isArray(item)) return item.map(map);
    if (!isJsonObject(item)) return item;
    seen.isOdd ||= partsName in item;
    return Object.fromEntries(Object.entries(item).map(([name, field]) => [name, map(field)]));
  };
  const mapped = map(value);
  return seen.references === 0 || seen.isOdd || seen.values > mostValues ? undefined : mapped;
}
