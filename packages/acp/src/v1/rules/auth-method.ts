import type { AuthenticateRequest } from '../../schema/v1/unstable.ts';
import type { Declared } from './gate.ts';
import type { Objection } from './objection.ts';

/**
 * ACP v1, Authentication: `authenticate` takes the methods that the agent offers and sees to itself. One of type
 * `terminal` is for the client to run.
 */
export function checkAuthMethod(
  { methodId }: AuthenticateRequest,
  { authMethods }: Declared,
): Objection | undefined {
  const isOffered = authMethods.some((method) => method.type !== 'terminal' && method.id === methodId);
  if (isOffered) return undefined;
  return {
    code: 'not-supported',
    path: 'methodId',
    expected: 'a method that the agent sees to',
    found: methodId,
  };
}
