import { fileURLToPath } from 'node:url';

/** From `src` as well as from `dist`, where the program is not. */
const program = fileURLToPath(new URL('./faulty-agent/faulty-agent.mjs', import.meta.url));

/**
 * Returns the command line of an agent that is correct except for one fault. Without a fault, the command lists all
 * faults.
 */
export function faultyAgent(fault?: string): readonly [command: string, ...args: string[]] {
  return [process.execPath, program, ...(fault === undefined ? [] : [fault])];
}
