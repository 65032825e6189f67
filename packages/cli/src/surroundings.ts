import type { Readable, Writable } from 'node:stream';
import type { Variables } from './configuration/places.ts';

/** What a command has around it: the process's own, or a test's. */
export interface Surroundings {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: Variables;
  /** The folder the command was started in. */
  readonly cwd: string;
}
