import type { Writable } from 'node:stream';
import { toPlainLine } from '../output/plain.ts';

/** What a line of the log has besides its message. */
export type LogFields = Readonly<Record<string, string | number | undefined>>;

/** Writes log lines, one per entry. It never receives a token, a prompt or a file. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** A log of JSON lines; on a terminal, of lines for people. */
export function createLog(
  output: Writable & { readonly isTTY?: boolean },
  now = (): Date => new Date(),
): Log {
  const toLine = output.isTTY === true ? toTextLine : toJsonLine;
  const write =
    (level: string) =>
    (message: string, fields: LogFields = {}): void => {
      output.write(`${toLine({ time: now().toISOString(), level, message, fields })}\n`);
    };
  return { info: write('info'), warn: write('warn'), error: write('error') };
}

interface Entry {
  readonly time: string;
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}

function toJsonLine({ time, level, message, fields }: Entry): string {
  return JSON.stringify({ time, level, message, ...fields });
}

function toTextLine({ time, level, message, fields }: Entry): string {
  const details = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || name === 'requestId' ? [] : [`${name}=${String(value)}`],
  );
  const label = level === 'info' ? [] : [`${level}:`];
  return toPlainLine([time.slice(11, 19), ...label, message, ...details].join(' '));
}

/** The message of an error, for the log. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
