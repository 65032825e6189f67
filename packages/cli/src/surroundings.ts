import type { Readable, Writable } from 'node:stream';
import type { SessionStore } from '@parley/host';
import type { Variables } from './configuration/places.ts';

/** What a command has around it: the process's own, or a test's. */
export interface Surroundings {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** A terminal has `columns`. */
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Variables;
  /** The sessions that a command is about. @default those of this machine */
  readonly sessions?: SessionStore;
  /** The folder the command was started in. */
  readonly cwd: string;
  /** When the command was started, by `performance.now()`. @default with its process */
  readonly startedAt?: number;
}
