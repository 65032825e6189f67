import { fileURLToPath } from 'node:url';

/** From `src` as well as from `dist`, where the program is not. */
const program = fileURLToPath(new URL('./subagent-agent/subagent-agent.mjs', import.meta.url));

/** The command line of an agent that starts sub-agents in its first turn, or is steered. Without a scene it lists them. */
export function subagentAgent(scene?: string): readonly [command: string, ...args: string[]] {
  return [process.execPath, program, ...(scene === undefined ? [] : [scene])];
}
