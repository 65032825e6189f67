import type { StopReason } from '@parley/acp';
import { RpcError } from '@parley/wire';
import { AgentError } from '../agent-error.ts';
import { sendUsage } from '../turn/send-usage.ts';
import type { Turn } from '../turn/turn.ts';
import type { CommandLine } from './find-command.ts';

/** Runs a slash command, and displays its answer as a message that the model does not receive. */
export async function runCommand(turn: Turn, line: CommandLine): Promise<StopReason> {
  const { conversation, client } = turn;
  const text = await answer(turn, line);
  if (client.signal.aborted) return 'cancelled';
  await client.update({
    sessionUpdate: 'agent_message_chunk',
    messageId: conversation.createMessageId(),
    content: { type: 'text', text },
  });
  await sendUsage(turn);
  return 'end_turn';
}

async function answer(turn: Turn, { command, argument }: CommandLine): Promise<string> {
  if (argument !== '' && command.hint === undefined) {
    return `\`/${command.name}\` does not accept arguments; nothing was done.`;
  }
  try {
    return await command.run(argument, turn);
  } catch (error) {
    if (turn.client.signal.aborted) return '';
    // The user of a command sees the error that a request would be refused with.
    if (error instanceof RpcError || error instanceof AgentError) {
      return `\`/${command.name}\`: ${error.message}.`;
    }
    throw error;
  }
}
