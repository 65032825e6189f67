import type { AuthMethod } from '@parley/acp';
import { expect, test } from 'vitest';
import { toSignInMethods } from './sign-in-method.ts';

/** As it comes from an agent: newer and older than the schema. */
function method(fields: object): AuthMethod {
  return { id: 'm', name: 'M', ...fields };
}

test('a method without a type, or of type agent, is for the agent to see to', () => {
  expect(toSignInMethods([method({ description: 'D' }), method({ type: 'agent' })])).toEqual([
    { kind: 'agent', id: 'm', name: 'M', description: 'D' },
    { kind: 'agent', id: 'm', name: 'M' },
  ]);
});

test('a method of type terminal says with what the agent is to be run', () => {
  const methods = [
    method({ type: 'terminal', args: ['login'], env: { A: 'b' } }),
    method({ type: 'terminal' }),
  ];
  expect(toSignInMethods(methods)).toEqual([
    { kind: 'terminal', id: 'm', name: 'M', args: ['login'], env: { A: 'b' } },
    { kind: 'terminal', id: 'm', name: 'M', args: [], env: {} },
  ]);
});

test('variables are read in both forms there were, and are secret and needed by default', () => {
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

test('a method of an unknown type, or with variables that are none, is not taken for another', () => {
  const methods = [
    method({ type: '_example.com/smartcard' }),
    method({ type: 'env_var' }),
    method({ type: 'env_var', vars: [{ name: 'A=B' }, 7, null] }),
  ];
  expect(toSignInMethods(methods).map(({ kind }) => kind)).toEqual(['unknown', 'unknown', 'unknown']);
});
