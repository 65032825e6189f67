import { unattendedMethod, withSignIn, type AgentConnection, type SignIn } from '@parley/host';

/** Does what may need the agent to be signed in. It is signed in where nothing but its variables is needed for that. */
export function signedIn<T>(
  handle: AgentConnection,
  variables: Readonly<Record<string, string | undefined>>,
  known: SignIn | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  return withSignIn(attempt, async () => {
    const methodId = unattendedMethod(handle.authMethods, variables, known);
    if (methodId === undefined) return false;
    await handle.authenticate(methodId);
    return true;
  });
}
