import type { AuthMethod } from '@parley/acp';
import type { SignIn } from '../catalogue/catalogue-entry.ts';
import { toSignInMethods } from './sign-in-method.ts';

/**
 * The way to sign in that needs nothing but variables that are set: one that lists them, one that is known to take them, or
 * one that is called like its variable, as `openai-api-key` is. Any other may open a browser.
 */
export function unattendedMethod(
  methods: readonly AuthMethod[],
  variables: Readonly<Record<string, string | undefined>>,
  known?: SignIn,
): string | undefined {
  const isSet = (name: string): boolean => (variables[name] ?? '') !== '';
  const method = toSignInMethods(methods).find((candidate) => {
    switch (candidate.kind) {
      case 'variables':
        return candidate.variables.every(({ name, isOptional }) => isOptional || isSet(name));
      case 'agent':
        return (
          isSet(candidate.id.toUpperCase().replaceAll('-', '_')) ||
          (candidate.id === known?.method && known.variables.some(isSet))
        );
      case 'terminal':
      case 'unknown':
        return false;
    }
  });
  return method?.id;
}
