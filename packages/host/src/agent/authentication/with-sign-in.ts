import { acpCodes } from '@parley/acp';
import { RpcError } from '@parley/wire';
import { HostError } from '../../host-error.ts';

/**
 * Does what may need the agent to be signed in: when it does, `signIn` is called, and it is done once more.
 *
 * @param signIn Gives whether the agent is signed in by now; else the failure stays what it was.
 */
export async function withSignIn<T>(attempt: () => Promise<T>, signIn: () => Promise<boolean>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!isAuthRequired(error) || !(await signIn())) throw error;
  }
  return attempt();
}

function isAuthRequired(error: unknown): boolean {
  // A server that wants other credentials does not ask the agent who it works for.
  if (error instanceof HostError) return error.code === 'auth-required' && error.httpStatus === undefined;
  return error instanceof RpcError && error.code === acpCodes.authRequired;
}
