import { fileURLToPath } from 'node:url';

/** From `src` as well as from `dist`, where the program is not. */
const program = fileURLToPath(new URL('./unstable-agent/unstable-agent.mjs', import.meta.url));

/**
 * The command line of an agent that declares methods of the unstable protocol, and `has` them, `refuses` them, or `lies`. Without a
 * scene it lists them.
 */
export function unstableAgent(
  scene?: 'has' | 'refuses' | 'lies',
): readonly [command: string, ...args: string[]] {
  return [process.execPath, program, ...(scene === undefined ? [] : [scene])];
}
