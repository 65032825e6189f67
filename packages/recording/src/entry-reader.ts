import { isJsonObject, type JsonObject } from '@parley/wire';
import { DirectionGuess } from './direction-guess.ts';
import type { RecordingEntry } from './entry.ts';
import type { Line } from './lines.ts';
import { RecordingError } from './recording-error.ts';

/** Reads the lines of a recording. Lines of other tools are accepted: a bare message is a frame. */
export class EntryReader {
  readonly #directions = new DirectionGuess();
  #seq = 0;

  /** Reads a line; undefined for an empty one. */
  read({ number, length, bytes }: Line): RecordingEntry | undefined {
    if (bytes === undefined) return unreadable(number, `it has ${length} bytes, which is too long`);
    return this.readText(decoder.decode(bytes), number);
  }

  /** Reads a line that is already decoded. */
  readText(text: string, number: number): RecordingEntry | undefined {
    const json = text.trim();
    if (json === '') return undefined;
    const value = parseJson(json);
    return isJsonObject(value) ? this.#take(value, number) : unreadable(number, 'it is not a JSON object');
  }

  #take(object: JsonObject, line: number): RecordingEntry {
    const { recording, direction, message, fault } = object;
    if (typeof recording === 'number') return toHead(object, recording);
    const time = timeOf(object['time']);
    if (direction === 'in' || direction === 'out') {
      this.#seq = typeof object['seq'] === 'number' ? object['seq'] : this.#seq + 1;
      const place = { seq: this.#seq, ...(time !== undefined && { time }), direction } as const;
      if (message !== undefined) return { kind: 'frame', ...place, message };
      if (isJsonObject(fault)) {
        const { code, bytes, head } = fault;
        return {
          kind: 'fault',
          ...place,
          code: textOr(code, 'unknown'),
          ...(typeof bytes === 'number' && { bytes }),
          head: textOr(head, ''),
        };
      }
      return unreadable(line, 'it has neither "message" nor "fault"');
    }
    if (object['jsonrpc'] !== '2.0') return unreadable(line, 'neither a frame nor a message');
    this.#seq += 1;
    return { kind: 'frame', seq: this.#seq, direction: this.#directions.guess(object), message: object };
  }
}

const decoder = new TextDecoder();

function toHead(object: JsonObject, version: number): RecordingEntry {
  if (version !== 1) {
    throw new RecordingError(
      'unsupported',
      `version ${version} of recordings cannot be read, only version 1`,
    );
  }
  const { program, agent, cwd } = object;
  const time = timeOf(object['time']);
  return {
    kind: 'head',
    ...(time !== undefined && { time }),
    ...(typeof program === 'string' && { program }),
    ...(typeof agent === 'string' && { agent }),
    ...(typeof cwd === 'string' && { cwd }),
  };
}

function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function unreadable(line: number, why: string): RecordingEntry {
  return { kind: 'unreadable', line, why };
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    // The caller reports what is wrong with it.
    return undefined;
  }
}
