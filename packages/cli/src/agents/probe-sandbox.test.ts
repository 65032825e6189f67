import type { AgentSpec } from '@parley/host';
import { expect, test } from 'vitest';
import type { SandboxConfiguration } from '../configuration/configuration.ts';
import type { SandboxFields } from '../configuration/sandbox-schema.ts';
import { chooseProbeSandbox, toSandboxText } from './probe-sandbox.ts';

const bare: AgentSpec = { name: 'mine', reach: { by: 'command', command: 'mine' } };
const known: AgentSpec = { ...bare, hosts: ['example.com'], stateDirs: ['~/.mine'] };
const remote: AgentSpec = { ...known, reach: { by: 'url', url: 'wss://example.com' } };
const fetched: AgentSpec = { ...known, reach: { by: 'command', command: 'uvx', fetches: 'mine@1' } };
const configured = (side: keyof SandboxConfiguration, fields: SandboxFields): SandboxConfiguration => ({
  [side]: { all: {}, agents: new Map([['mine', fields]]) },
});
const here = (canHold: boolean) => () => Promise.resolve(canHold);

test.each<[string, AgentSpec, SandboxConfiguration, object]>([
  ['an agent with a profile', known, {}, { choice: 'workspace', reason: 'default' }],
  ['one with hosts only', { ...bare, hosts: [] }, {}, { choice: 'workspace', reason: 'default' }],
  [
    'one whose needs are configured',
    bare,
    configured('user', { stateDirs: ['~/.mine'] }),
    { choice: 'workspace', reason: 'default' },
  ],
  ['an agent without a profile', bare, {}, { reason: 'no-profile' }],
  ['needs that a project names', bare, configured('project', { network: 'on' }), { reason: 'no-profile' }],
  ['an agent that is reached by its address', remote, {}, { reason: 'not-local' }],
  ['a package that may be downloaded first', fetched, {}, { reason: 'not-installed' }],
  ['"off" of the user', known, configured('user', { mode: 'off' }), { reason: 'configuration' }],
  ['a mode of the user', bare, configured('user', { mode: 'read-only' }), { reason: 'configuration' }],
  ['a mode of a project', known, configured('project', { mode: 'read-only' }), { reason: 'configuration' }],
  [
    '"off" of a project, which widens nothing',
    known,
    configured('project', { mode: 'off' }),
    { choice: 'workspace', reason: 'default' },
  ],
])('the sandbox of a probe: %s', async (_, spec, sandbox, expected) => {
  const options = { configuration: { sandbox }, canHold: here(true) };
  expect(await chooseProbeSandbox(spec, options)).toEqual(expected);
  expect(await chooseProbeSandbox(spec, { ...options, typed: 'off' })).toEqual({
    choice: 'off',
    reason: 'flag',
  });
});

test('a machine that holds nothing probes without a sandbox, unless one is asked for', async () => {
  const options = { configuration: {}, canHold: here(false) };
  expect(await chooseProbeSandbox(known, options)).toEqual({ reason: 'no-engine' });
  expect(await chooseProbeSandbox(known, { ...options, typed: 'workspace' })).toEqual({
    choice: 'workspace',
    reason: 'flag',
  });
});

test('the text names the sandbox, or why there is none', () => {
  const held = { mode: 'workspace', engine: 'bubblewrap', reason: 'default' } as const;
  expect(toSandboxText(held)).toBe('workspace (bubblewrap)');
  expect(toSandboxText({ mode: 'off', reason: 'flag' })).toBe('off');
  expect(toSandboxText({ mode: 'off', reason: 'no-profile' })).toBe(
    'off: its hosts and state folders are not known',
  );
});
