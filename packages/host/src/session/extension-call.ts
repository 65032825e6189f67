import { RpcError } from '@parley/wire';
import type { Redaction } from '../redaction/redaction.ts';
import type { AgentRun } from './run/agent-run.ts';
import { withSessionId } from './session-ids.ts';

/** Something for an agent that is not part of the protocol. It names the session by its key. */
export interface ExtensionCall {
  readonly method: string;
  readonly params: unknown;
  /** How long an answer is needed. @default it is a notification */
  readonly signal?: AbortSignal;
}

/** Passes a call on to the agent, which has another id for the session. The answer is without secrets. @throws {RpcError} */
export async function passOn(
  { method, params, signal }: ExtensionCall,
  { agent: { connection }, session: { id } }: AgentRun,
  key: string,
  redaction: Redaction,
): Promise<object> {
  const asked = toObject(withSessionId(params, key, id));
  if (signal === undefined) {
    await connection.agent.notifyExtension(method, asked);
    return {};
  }
  try {
    const answer = await connection.agent.requestExtension(method, asked, { signal });
    return toObject(withSessionId(redaction.value(answer), id, key));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw new RpcError(error.code, error.message, withSessionId(error.data, id, key));
  }
}

/** Params and results are objects, for any input. */
function toObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
