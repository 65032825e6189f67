import { expect, test } from 'vitest';
import type { Access } from '../layout/access.ts';
import type { Layout } from '../layout/layout.ts';
import type { SandboxPlan } from '../plan.ts';
import { seatbeltProfile } from './seatbelt-profile.ts';

const plan: SandboxPlan = {
  mode: 'workspace',
  folders: [],
  stateDirs: [],
  write: [],
  read: 'all',
  program: [],
  hide: [],
  ownState: [],
  network: 'off',
};

function profileOf(accesses: Readonly<Record<string, Access>>, changes: Partial<SandboxPlan> = {}): string {
  const layout: Layout = {
    accesses: new Map(Object.entries(accesses)),
    pinned: new Set(['/work/.git']),
    protectedPaths: [],
    mounted: [],
    mountPoints: [],
    homes: [],
    convertible: [],
  };
  return seatbeltProfile(layout, { ...plan, ...changes }, '/scratch/tmp', '/scratch/stage');
}

test('a profile for macOS names deeper paths later, because its last matching rule applies', () => {
  const profile = profileOf({
    '/work/.git/config': 'read',
    '/work': 'write',
    '/': 'read',
    '/Users/a/.ssh': 'empty',
  });
  const write = profile.indexOf('(allow file-read* file-write* (subpath "/work"))');
  expect(write).toBeGreaterThan(profile.indexOf('(deny file-write*)'));
  expect(profile.indexOf('(deny file-write* (subpath "/work/.git/config"))')).toBeGreaterThan(write);
  expect(profile).toContain('(deny file-read-data file-write* (subpath "/Users/a/.ssh"))');
  expect(profile).toContain('(deny file-write-unlink (literal "/work/.git"))');
});

test('a profile for macOS allows signals and looks at processes only within the same sandbox', () => {
  const lines = profileOf({ '/': 'read' }).split('\n');
  const denied = lines.indexOf('(deny signal process-info* mach-priv-task-port)');
  const allowed = '(allow signal process-info* mach-priv-task-port (target same-sandbox))';
  expect(denied).toBeGreaterThan(lines.indexOf('(allow default)'));
  expect(lines.indexOf(allowed)).toBeGreaterThan(denied);
});

test('quotes and backslashes in a path do not end a string of the profile', () => {
  expect(profileOf({ '/a") (allow default) \\': 'write' })).toContain(String.raw`"/a\") (allow default) \\"`);
});

test('with a proxy, a profile allows its socket and the loopback interface', () => {
  const network = { socket: '/state/proxy.sock', hosts: [] };
  expect(profileOf({ '/': 'read' }, { network })).toContain('(path-literal "/state/proxy.sock")');
  expect(profileOf({ '/': 'read' }, { network: 'on' })).not.toContain('(deny network*)');
});

test('the socket for tools is allowed with every network, and opens nothing else', () => {
  const toolSocket = '/state/tools.sock';
  const without = profileOf({ '/': 'read' });
  const rule = `(allow network-outbound (remote unix-socket (path-literal "${toolSocket}")))`;
  expect(profileOf({ '/': 'read' }, { toolSocket }).replace(`${rule}\n`, '')).toBe(without);
  expect(profileOf({ '/': 'read' }, { toolSocket, network: 'on' })).toContain(rule);
});
