import type { AuthMethod } from '@parley/acp';
import type { SignIn } from '../catalogue/catalogue-entry.ts';
import { toSignInMethods, variableNamed } from './sign-in-method.ts';

/**
 * Returns the sign-in method that needs only variables that are already set: it lists them, is known to use them, or
 * is named like its variable, such as `openai-api-key`. Any other method may open a browser.
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
          isSet(variableNamed(candidate.id)) ||
          (candidate.id === known?.method && known.variables.some(isSet))
        );
      case 'terminal':
      case 'unknown':
        return false;
    }
  });
  return method?.id;
}
