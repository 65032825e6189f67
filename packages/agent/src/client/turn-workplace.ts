import type { ClientPeer } from '@parley/acp/unstable';
import type { CommandSandbox } from '../environment.ts';
import type { Workplace } from '../tools/tool.ts';
import { createClientFiles } from './client-files.ts';
import { createTerminalRunner } from './terminal-runner.ts';
import type { TurnChannel } from './turn-client.ts';

/**
 * The workplace of a turn's tools: that of the session, with the client's services where it offers them.
 *
 * @param client The client outside of any request, to clean up after a cancelled turn.
 * @param sandbox Holds the commands of the turn, which then do not run in terminals of the client.
 */
export function toTurnWorkplace(
  workplace: Workplace,
  channel: TurnChannel,
  client: ClientPeer,
  sandbox?: CommandSandbox,
): Workplace {
  const files = createClientFiles(workplace, channel);
  const ofTurn = { ...workplace, files, ...(sandbox !== undefined && { sandbox }) };
  if (client.capabilities.terminal !== true) return ofTurn;
  const home = { sessionId: channel.sessionId, client, endMs: workplace.limits.terminalEndMs };
  return { ...ofTurn, commands: createTerminalRunner(workplace, home) };
}
