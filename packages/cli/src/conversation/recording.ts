import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs';
import type { ObservedFrame } from '@parley/wire';
import { CliError } from '../cli-error.ts';
import { toFileReason } from '../input-file.ts';

/** Text gathered before it is written. */
const batchCharacters = 256 * 1024;

/** Every frame between us and an agent, in a file of JSON lines. README.md describes the format. */
export interface Recording extends Disposable {
  /** Disposing writes what is left, and never throws. */
  observe(frame: ObservedFrame): void;
}

export interface RecordingOptions {
  /** What the first line says besides the format's version and the time. */
  readonly head: Readonly<Record<string, unknown>>;
  /** Told once, when the file cannot be written any more; the run goes on without it. */
  readonly onFailure: (message: string) => void;
}

/** Opens a recording. Only its owner may read the file: everything that is said is in it. */
export function openRecording(file: string, { head, onFailure }: RecordingOptions): Recording {
  const descriptor = openPrivate(file);
  let batch = `${JSON.stringify({ recording: 1, time: new Date().toISOString(), ...head })}\n`;
  let scheduled: NodeJS.Immediate | undefined;
  let isOpen = true;

  // Written synchronously: the file is complete up to the last tick even when the process is killed,
  // and a slow disk slows the agent instead of filling the memory.
  function write(): void {
    scheduled = undefined;
    if (!isOpen || batch === '') return;
    const bytes = Buffer.from(batch);
    batch = '';
    try {
      for (let start = 0; start < bytes.length;) start += writeSync(descriptor, bytes, start);
    } catch (error) {
      end();
      onFailure(`${file}: ${toFileReason(error)}`);
    }
  }

  function end(): void {
    isOpen = false;
    try {
      closeSync(descriptor);
    } catch {
      // Nothing more can be done for the file.
    }
  }

  return {
    observe(frame) {
      if (!isOpen) return;
      batch += `${toLine(frame)}\n`;
      if (batch.length >= batchCharacters) write();
      else scheduled ??= setImmediate(write);
    },
    [Symbol.dispose]() {
      if (scheduled !== undefined) clearImmediate(scheduled);
      write();
      if (isOpen) end();
    },
  };
}

function toLine({ direction, time, message, fault }: ObservedFrame): string {
  return JSON.stringify({ time: new Date(time).toISOString(), direction, message, fault });
}

function openPrivate(file: string): number {
  try {
    const descriptor = openSync(file, 'w', 0o600);
    // A file that was there already keeps its mode when it is opened. A device is nobody's to close.
    if (fstatSync(descriptor).isFile()) fchmodSync(descriptor, 0o600);
    return descriptor;
  } catch (error) {
    throw new CliError('usage', `--record ${file}: ${toFileReason(error)}`, { cause: error });
  }
}
