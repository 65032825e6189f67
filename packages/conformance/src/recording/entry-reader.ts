import { at, isObject } from '../acp-v1/json-value.ts';
import type { JsonObject } from '../acp-v1/json-value.ts';
import { DirectionGuess } from './direction-guess.ts';
import type { RecordingEntry } from './entry.ts';
import type { Line } from './lines.ts';
import { RecordingError } from './recording-error.ts';

/** Lines to what they hold. Lines of other tools may be among them: a bare message is taken for a frame. */
export class EntryReader {
  readonly #directions = new DirectionGuess();
  #seq = 0;

  /** Nothing for an empty line. */
  read(line: Line): RecordingEntry | undefined {
    if (line.bytes === undefined) return unreadable(line, `it has ${line.length} bytes, which is too long`);
    const text = Buffer.from(line.bytes.buffer, line.bytes.byteOffset, line.bytes.byteLength)
      .toString('utf8')
      .trim();
    if (text === '') return undefined;
    const value = parseJson(text);
    return isObject(value) ? this.#take(value, line) : unreadable(line, 'it is no JSON object');
  }

  #take(object: JsonObject, line: Line): RecordingEntry {
    const { recording, direction, message, fault } = object;
    if (typeof recording === 'number') return toHead(object, recording);
    const time = timeOf(object['time']);
    if (direction === 'in' || direction === 'out') {
      this.#seq = typeof object['seq'] === 'number' ? object['seq'] : this.#seq + 1;
      const place = { seq: this.#seq, ...(time !== undefined && { time }), direction } as const;
      if (message !== undefined) return { kind: 'frame', ...place, message };
      if (isObject(fault)) {
        const [code, head] = [at(fault, 'code'), at(fault, 'head')];
        return { kind: 'fault', ...place, code: textOr(code, 'unknown'), head: textOr(head, '') };
      }
      return unreadable(line, 'it has neither "message" nor "fault"');
    }
    if (object['jsonrpc'] !== '2.0') return unreadable(line, 'it is no frame and no message');
    this.#seq += 1;
    return { kind: 'frame', seq: this.#seq, direction: this.#directions.guess(object), message: object };
  }
}

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

function unreadable({ number }: Line, why: string): RecordingEntry {
  return { kind: 'unreadable', line: number, why };
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    // Whoever asks says what it is not.
    return undefined;
  }
}
