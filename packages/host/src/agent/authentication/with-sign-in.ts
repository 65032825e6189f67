import { acpCodes } from '@parley/acp';
import { RpcError } from '@parley/wire';
import { HostError } from '../../host-error.ts';

/**
 * Runs an operation that may require a sign-in: if it does, calls `signIn` and retries once.
 *
 * @param signIn Returns whether the user is now signed in; otherwise the original error is thrown.
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
