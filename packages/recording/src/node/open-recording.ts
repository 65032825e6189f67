import { closeSync, fchmodSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import type { ObservedFrame } from '@parley/wire';
import { frameLine, headLine } from '../line.ts';
import { Redactor } from '../redactor.ts';
import { namesSecret } from '../secret-name.ts';

/** Characters that are combined into one write. */
const batchCharacters = 256 * 1024;

const newline = 0x0a;

/**
 * Writes every frame between a client and an agent to a file of JSON lines. docs/recordings.md describes the format.
 */
export interface Recording extends Disposable {
  /** Records a frame. Disposing writes what is buffered, and never throws. */
  observe(frame: ObservedFrame): void;
  /** Adds a secret that is not the value of a variable: from now on it is redacted everywhere. */
  learn(secret: string): void;
}

/** The head of a recording, and the secrets to redact. */
export interface RecordingOptions {
  /** Fields of the first line, in addition to the format version and the time. */
  readonly head: Readonly<Record<string, unknown>>;
  /** Called once if writing fails; the connection continues without the recording. */
  readonly onFailure: (error: unknown) => void;
  /** Variables of the agent: values under names that indicate a secret are redacted. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** Additional secrets, under any name. @default none */
  readonly secrets?: readonly string[];
}

/** Opens a recording. Only the owner may read the file; recognized secrets are redacted. */
export function openRecording(
  file: string,
  { head, onFailure, variables, secrets = [] }: RecordingOptions,
): Recording {
  const descriptor = openPrivate(file);
  const redactor = new Redactor();
  for (const secret of secrets) redactor.learn(secret, { isCertain: true });
  for (const [name, value] of Object.entries(variables ?? {})) {
    if (value !== undefined && namesSecret(name)) redactor.learn(value);
  }
  let batch = headLine(head, Date.now());
  let seq = 0;
  /** Bytes of complete lines in the file. */
  let written = 0;
  let scheduled: NodeJS.Immediate | undefined;
  let isOpen = true;

  // Written synchronously: the file is complete up to the last tick even when the process is killed,
  // and a slow disk slows the agent instead of filling the memory.
  function write(): void {
    scheduled = undefined;
    if (!isOpen || batch === '') return;
    const bytes = Buffer.from(batch);
    batch = '';
    let start = 0;
    try {
      while (start < bytes.length) start += writeSync(descriptor, bytes, start);
      written += start;
    } catch (error) {
      cutBehind(written + bytes.subarray(0, start).lastIndexOf(newline) + 1);
      end();
      onFailure(error);
    }
  }

  /** Removes a line that was written in part. */
  function cutBehind(length: number): void {
    try {
      if (fstatSync(descriptor).isFile()) ftruncateSync(descriptor, length);
    } catch {
      // Readers report a line that they cannot read.
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
      seq += 1;
      batch += toLine(frame, seq, redactor);
      if (batch.length >= batchCharacters) write();
      else scheduled ??= setImmediate(write);
    },
    learn(secret) {
      redactor.learn(secret, { isCertain: true });
    },
    [Symbol.dispose]() {
      if (scheduled !== undefined) clearImmediate(scheduled);
      write();
      if (isOpen) end();
    },
  };
}

function toLine({ direction, time, message, fault }: ObservedFrame, seq: number, redactor: Redactor): string {
  return frameLine({
    seq,
    time,
    direction,
    message: redactor.redact(message),
    ...(fault !== undefined && {
      fault: { code: fault.code, bytes: fault.bytes, head: redactor.redactText(fault.head) },
    }),
  });
}

function openPrivate(file: string): number {
  const descriptor = openSync(file, 'w', 0o600);
  // A file that was there already keeps its mode when it is opened. A device is left open to others.
  if (fstatSync(descriptor).isFile()) fchmodSync(descriptor, 0o600);
  return descriptor;
}
