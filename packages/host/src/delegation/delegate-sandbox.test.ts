import { expect, test } from 'vitest';
import type { AgentSpec } from '../agent/agent-spec.ts';
import { strictestChoice, type SandboxSettings } from '../sandbox/sandbox-settings.ts';
import type { SandboxWish } from '../session/session-runtime.ts';
import { sandboxOfDelegate } from './delegate-sandbox.ts';

const spec = (name: string, hosts: readonly string[] = []): AgentSpec => ({
  name,
  reach: { by: 'command', command: name },
  hosts,
});

const wide: Omit<SandboxSettings, 'mode'> = {
  write: [],
  stateDirs: [],
  read: 'all',
  hide: [],
  ownState: [],
  network: 'on',
};

/** How each agent is configured, by its name. */
function sandboxes(settings: Readonly<Record<string, Partial<SandboxSettings>>>) {
  return ({ spec: { name }, choice, widest }: SandboxWish): SandboxSettings | undefined => {
    const own = settings[name] ?? {};
    const mode = strictestChoice([choice ?? own.mode, widest]);
    return mode === 'off' ? undefined : { ...wide, ...own, mode };
  };
}

test("a delegate's sandbox is at least as strict as its parent's", async () => {
  const sandboxFor = sandboxes({
    parent: { write: ['/a'], hide: ['/secret'], network: ['x.org'] },
    child: { mode: 'read-only', write: ['/a', '/b'], hide: ['/other'], network: 'on' },
  });
  const launch = { spec: spec('parent'), cwd: '/', choice: 'workspace' } as const;
  const held = sandboxOfDelegate(sandboxFor, { launch, mode: () => 'workspace' });

  expect(await held({ spec: spec('child', ['api.org']), cwd: '/' })).toMatchObject({
    mode: 'read-only',
    write: ['/a'],
    hide: ['/other', '/secret'],
    network: ['x.org', 'api.org'],
  });
  expect(await held({ spec: spec('open'), cwd: '/' })).toMatchObject({
    mode: 'workspace',
    network: ['x.org'],
  });
});

test("a delegate's commands skip permission only if those of its parent do", async () => {
  const approving = async (parent: Partial<SandboxSettings>): Promise<boolean | undefined> => {
    const child = { mode: 'workspace', network: 'off', autoApprove: true } as const;
    const sandboxFor = sandboxes({ parent, child });
    const held = sandboxOfDelegate(sandboxFor, {
      launch: { spec: spec('parent'), cwd: '/' },
      mode: () => parent.mode ?? 'off',
    });
    return (await held({ spec: spec('child'), cwd: '/' }))?.autoApprove;
  };
  expect(await approving({ mode: 'workspace', autoApprove: true, network: 'off' })).toBe(true);
  expect(await approving({ mode: 'workspace', autoApprove: true, network: 'on' })).toBe(false);
  expect(await approving({ mode: 'workspace' })).toBe(false);
  expect(await approving({})).toBe(false);
});

test('a delegate of a parent without a sandbox uses the sandbox of its agent', async () => {
  const sandboxFor = sandboxes({ child: { mode: 'workspace', write: ['/b'] } });
  const held = sandboxOfDelegate(sandboxFor, {
    launch: { spec: spec('parent'), cwd: '/' },
    mode: () => 'off',
  });

  expect(await held({ spec: spec('child'), cwd: '/' })).toMatchObject({ mode: 'workspace', write: ['/b'] });
  expect(await held({ spec: spec('open'), cwd: '/' })).toBeUndefined();
});
