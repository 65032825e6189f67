import type { ClientPeer, PromptContext } from '@parley/acp/unstable';
import type { Workplace } from '../tools/tool.ts';
import { createClientFiles } from './client-files.ts';
import { createTerminalRunner } from './terminal-runner.ts';

/**
 * Where the tools of one turn work: in the session's workplace, but through the client what it offers to do.
 *
 * @param client The client outside of any request, for what a cancelled turn leaves behind.
 */
export function toTurnWorkplace(workplace: Workplace, context: PromptContext, client: ClientPeer): Workplace {
  const files = createClientFiles(workplace, context);
  if (client.capabilities.terminal !== true) return { ...workplace, files };
  const home = { sessionId: context.sessionId, client, endMs: workplace.limits.terminalEndMs };
  return { ...workplace, files, commands: createTerminalRunner(workplace, home) };
}
