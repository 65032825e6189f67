import type { SandboxChoice, SandboxSettings } from '@parley/host';
import { expect, test } from 'vitest';
import { sandboxOf } from './hub-sandbox.ts';

const agent = {
  name: 'mine',
  place: 'configured',
  spec: { name: 'mine', reach: { by: 'command', command: 'mine' } },
} as const;

function choose(
  choice: SandboxChoice | undefined,
  configured: SandboxSettings['mode'] | undefined,
  mayWiden: boolean,
): ReturnType<typeof sandboxOf> {
  const settings: Omit<SandboxSettings, 'mode'> = {
    write: [],
    stateDirs: [],
    read: 'all',
    hide: [],
    ownState: [],
    network: 'off',
  };
  return sandboxOf(
    choice === undefined ? {} : { 'parley/sandbox': choice },
    { agent, cwd: '/work', mayWiden },
    { sandboxFor: () => (configured === undefined ? undefined : { ...settings, mode: configured }) },
  );
}

test('a client that chooses nothing gets the configured sandbox', async () => {
  expect(await choose(undefined, 'workspace', false)).toEqual({});
});

test.each<[SandboxChoice, SandboxSettings['mode'] | undefined]>([
  ['workspace', undefined],
  ['workspace', 'workspace'],
  ['read-only', 'workspace'],
  ['off', undefined],
])('a client without admin may choose %s where %s is configured', async (choice, configured) => {
  expect(await choose(choice, configured, false)).toEqual({ sandbox: choice });
});

test.each<[SandboxChoice, SandboxSettings['mode']]>([
  ['off', 'workspace'],
  ['workspace', 'read-only'],
])('only a client with admin may choose %s where %s is configured', async (choice, configured) => {
  await expect(choose(choice, configured, false)).rejects.toThrow('only a token of the scope "admin"');
  expect(await choose(choice, configured, true)).toEqual({ sandbox: choice });
});
