import type { AuthMethod } from '@parley/acp';
import { toSignInMethods, withSignIn, type AgentHandle } from '@parley/host';

/** The variables that an agent was started with. */
type Variables = Readonly<Record<string, string | undefined>>;

/** Does what may need the agent to be signed in. It is signed in where nothing but its variables is needed for that. */
export function signedIn<T>(
  handle: AgentHandle,
  variables: Variables,
  attempt: () => Promise<T>,
): Promise<T> {
  return withSignIn(attempt, async () => {
    const methodId = methodFor(handle.authMethods, variables);
    if (methodId === undefined) return false;
    await handle.authenticate(methodId);
    return true;
  });
}

/**
 * The way to sign in that needs nothing but variables that are set: one that lists them, or one that is called like its
 * variable, as `openai-api-key` is. Any other may open a browser.
 */
export function methodFor(methods: readonly AuthMethod[], variables: Variables): string | undefined {
  const isSet = (name: string): boolean => (variables[name] ?? '') !== '';
  const method = toSignInMethods(methods).find((candidate) => {
    switch (candidate.kind) {
      case 'variables':
        return candidate.variables.every(({ name, isOptional }) => isOptional || isSet(name));
      case 'agent':
        return isSet(candidate.id.toUpperCase().replaceAll('-', '_'));
      case 'terminal':
      case 'unknown':
        return false;
    }
  });
  return method?.id;
}
