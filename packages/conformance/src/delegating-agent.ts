import { fileURLToPath } from 'node:url';

/** From `src` as well as from `dist`, where the program is not. */
const program = fileURLToPath(new URL('./delegating-agent/delegating-agent.mjs', import.meta.url));

/** The command line of an agent whose prompt is a list of calls of the tools of its MCP server. */
export function delegatingAgent(): readonly [command: string, ...args: string[]] {
  return [process.execPath, program];
}
