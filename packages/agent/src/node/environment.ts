import { resolve } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Environment } from '../environment.ts';

/** This machine: its files and processes through `@parley/workspace`, which is loaded when it is first needed. */
export function createNodeEnvironment(): Environment {
  return {
    openFiles: async (options) => (await import('@parley/workspace')).openFiles(options),
    runCommand: async (options) => (await import('@parley/workspace')).runCommand(options),
    toAbsolutePath: (base, path) => resolve(base, path),
    // The global: `node:crypto` would be loaded, at some cost, before the first message is read.
    createId: () => crypto.randomUUID(),
    clock: {
      sleep: (ms, signal) => setTimeout(ms, undefined, signal === undefined ? {} : { signal }),
      breathe: () => setImmediate(),
    },
  };
}
