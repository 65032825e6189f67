import type { AuthMethod } from '@parley/acp';
import { expect, test } from 'vitest';
import type { SignIn } from '../catalogue/catalogue-entry.ts';
import { toSignInMethods } from './sign-in-method.ts';

/** As it comes from an agent: newer and older than the schema. */
function method(fields: object): AuthMethod {
  return { id: 'm', name: 'M', ...fields };
}

test('a method without a type, or of type agent, is handled by the agent', () => {
  expect(toSignInMethods([method({ description: 'D' }), method({ type: 'agent' })])).toEqual([
    { kind: 'agent', id: 'm', name: 'M', description: 'D' },
    { kind: 'agent', id: 'm', name: 'M' },
  ]);
});

test('a method of type terminal has the arguments for running the agent', () => {
  const methods = [
    method({ type: 'terminal', args: ['login'], env: { A: 'b' } }),
    method({ type: 'terminal' }),
  ];
  expect(toSignInMethods(methods)).toEqual([
    { kind: 'terminal', id: 'm', name: 'M', args: ['login'], env: { A: 'b' } },
    { kind: 'terminal', id: 'm', name: 'M', args: [], env: {} },
  ]);
});

test('variables are read in both known forms, and are secret and required by default', () => {
  const vars = [
    { name: 'KEY', label: 'API key' },
    { name: 'REGION', secret: false, optional: true },
  ];
  const methods = [
    method({ type: 'env_var', vars, link: 'https://example.com/keys' }),
    method({ type: 'env_var', varName: 'OLD_KEY' }),
  ];
  expect(toSignInMethods(methods)).toEqual([
    {
      kind: 'variables',
      id: 'm',
      name: 'M',
      link: 'https://example.com/keys',
      variables: [
        { name: 'KEY', label: 'API key', isSecret: true, isOptional: false },
        { name: 'REGION', isSecret: false, isOptional: true },
      ],
    },
    {
      kind: 'variables',
      id: 'm',
      name: 'M',
      variables: [{ name: 'OLD_KEY', isSecret: true, isOptional: false }],
    },
  ]);
});

test('a method of an unknown type, or with invalid variables, is not mistaken for another', () => {
  const methods = [
    method({ type: '_example.com/smartcard' }),
    method({ type: 'env_var' }),
    method({ type: 'env_var', vars: [{ name: 'A=B' }, 7, null] }),
  ];
  expect(toSignInMethods(methods).map(({ kind }) => kind)).toEqual(['unknown', 'unknown', 'unknown']);
});

test('a method named like a key asks for the variable of that name', () => {
  const methods = [
    { id: 'gemini-api-key', name: 'Gemini API key' },
    { id: 'api-key', name: 'API Key' },
    { id: 'oauth-personal', name: 'Log in with Google' },
  ];
  const keyNamed = (name: string): object => ({
    kind: 'variables',
    variables: [{ name, isSecret: true, isOptional: false }],
  });
  expect(toSignInMethods(methods)).toMatchObject([
    keyNamed('GEMINI_API_KEY'),
    { kind: 'agent' },
    { kind: 'agent' },
  ]);
  const known = { hint: '', variables: ['OPENAI_API_KEY', 'CODEX_API_KEY'], method: 'api-key' };
  expect(toSignInMethods(methods, known)[1]).toMatchObject(keyNamed('OPENAI_API_KEY'));
});

test('a variable in the catalogue is a separate method, unless the agent offers one with variables', () => {
  const known: SignIn = { hint: 'H', variables: ['KEY', 'OTHER'] };
  const login = { kind: 'terminal', id: 'm', name: 'M', args: [], env: {} };
  const variables = [{ name: 'KEY', isSecret: true, isOptional: false }];

  expect(toSignInMethods([method({ type: 'terminal' })], known)).toEqual([
    login,
    { kind: 'variables', id: 'parley/KEY', name: 'KEY', variables },
  ]);
  expect(toSignInMethods([method({ type: 'env_var', varName: 'OWN' })], known)).toHaveLength(1);
  expect(toSignInMethods([], known)).toEqual([]);
});
