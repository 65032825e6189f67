import { realpathSync } from 'node:fs';
import { readlink, realpath } from 'node:fs/promises';
import { type Access, accessTo, isVisible } from '../layout/access.ts';
import type { Layout } from '../layout/layout.ts';
import { relaySocketPath, type SandboxPlan, toolSocketPath } from '../plan.ts';

/** A step of building the file system inside, by bubblewrap's names of options. */
export type Step =
  | readonly ['bind' | 'ro-bind', from: string, to: string]
  | readonly ['symlink', target: string, at: string]
  | readonly ['tmpfs' | 'remount-ro' | 'dir' | 'proc' | 'dev', at: string];

/** Files of Parley outside that are mounted inside. */
export interface StepSources {
  /** The temporary folder of the sandbox. */
  readonly temporary: string;
  /** The folder of the stage. */
  readonly stage: string;
  /** An empty file that cannot be read. */
  readonly nothing: string;
  /** The configuration of a resolver that refuses. */
  readonly resolver: string;
}

/** Where the folder of the stage is inside. */
export const stagePath = '/run/parley/stage';

/** Returns the steps that build the file system of a layout. */
export async function fileSystemSteps(
  layout: Layout,
  plan: SandboxPlan,
  sources: StepSources,
): Promise<readonly Step[]> {
  const { accesses } = layout;
  const steps: Step[] = [];
  const sealed: string[] = [];
  for (const [at, access] of parentsFirst(accesses)) {
    const around = at === '/' ? 'empty' : accessTo(parentOf(at), accesses);
    steps.push(...stepsFor(at, access, around, layout, sources));
    if (access === 'empty') sealed.push(at);
  }
  if (!isVisible(accesses.get('/') ?? 'empty')) {
    steps.push(...(await systemLinks()), ...layout.homes.map((home) => ['dir', home] as const));
  }
  steps.push(...(await resolverSteps(plan, sources.resolver)));
  steps.push(['ro-bind', sources.stage, stagePath]);
  if (typeof plan.network === 'object') steps.push(['bind', plan.network.socket, relaySocketPath]);
  if (plan.toolSocket !== undefined) steps.push(['bind', plan.toolSocket, toolSocketPath]);
  return [...steps, ...sealed.map((at) => ['remount-ro', at] as const)];
}

function stepsFor(
  at: string,
  access: Access,
  around: Access,
  { pinned }: Layout,
  sources: StepSources,
): readonly Step[] {
  switch (access) {
    case 'read':
      return around === 'read' && !pinned.has(at) ? [] : [['ro-bind', at, at]];
    case 'write':
      return [['bind', at, at]];
    case 'temporary':
      return [['bind', sources.temporary, at]];
    case 'empty':
      return [['tmpfs', at]];
    case 'nothing':
      return isVisible(around) ? [['ro-bind', sources.nothing, at]] : [];
    case 'dev':
      return [['dev', at]];
    case 'proc':
      return [['proc', at], ...kernelSettings().map((each) => ['ro-bind', each, each] as const)];
  }
}

/** Settings of the kernel that root can write without any capability. */
function kernelSettings(): readonly string[] {
  return 'sys sysrq-trigger irq bus fs scsi acpi dynamic_debug'
    .split(' ')
    .map((name) => `/proc/${name}`)
    .filter(exists);
}

function exists(file: string): boolean {
  try {
    realpathSync(file);
    return true;
  } catch {
    return false;
  }
}

function parentsFirst(accesses: Layout['accesses']): readonly (readonly [string, Access])[] {
  const depth = (at: string): number => (at === '/' ? 0 : at.split('/').length);
  return [...accesses].toSorted(([a], [b]) => depth(a) - depth(b) || (a < b ? -1 : 1));
}

function parentOf(at: string): string {
  return at.slice(0, Math.max(1, at.lastIndexOf('/')));
}

/** `/bin`, `/lib64` and the like are links to folders in `/usr` on most systems. */
async function systemLinks(): Promise<readonly Step[]> {
  const names = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
  const links = await Promise.all(
    names.map(async (at): Promise<readonly Step[]> => {
      const target = await readlink(at).catch(() => undefined);
      return target === undefined ? [] : [['symlink', target, at]];
    }),
  );
  return links.flat();
}

/** Without a network, names are refused at once; with it, the file must stay where `/run` had it. */
async function resolverSteps(plan: SandboxPlan, resolver: string): Promise<readonly Step[]> {
  const at = await realpath('/etc/resolv.conf').catch(() => undefined);
  if (at === undefined) return [];
  return [['ro-bind', plan.network === 'on' ? at : resolver, at]];
}
