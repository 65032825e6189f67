import { fileURLToPath } from 'node:url';

/** From `src` as well as from `dist`, where the program is not. */
const program = fileURLToPath(new URL('./faulty-agent/faulty-agent.mjs', import.meta.url));

/** The command line of an agent that does everything right, save for one thing. Without a fault it lists them. */
export function faultyAgent(fault?: string): readonly [command: string, ...args: string[]] {
  return [process.execPath, program, ...(fault === undefined ? [] : [fault])];
}
