import type { StopReason } from '@parley/acp';
import { RpcError, rpcCodes } from '@parley/wire';
import { errorCode } from '../error-code.ts';
import type { Turn } from './turn.ts';

/**
 * Ends a turn whose model gave no answer: the user sees why, and the prompt is answered with an error, for no stop
 * reason says that. Agentao ends such a turn as if it had gone well. Any other error goes on.
 */
export async function endWithModelFailure(turn: Turn, error: unknown): Promise<StopReason> {
  const code = errorCode(error);
  if ((code !== 'model-failed' && code !== 'context-overflow') || !(error instanceof Error)) throw error;
  const { message } = error;
  await turn.client.update({
    sessionUpdate: 'agent_message_chunk',
    messageId: turn.session.createMessageId(),
    content: { type: 'text', text: `Error: ${message}` },
  });
  if (turn.dialect === 'agentao') return 'end_turn';
  throw new RpcError(rpcCodes.internalError, message, { code: 'model-failed' }, { cause: error });
}
