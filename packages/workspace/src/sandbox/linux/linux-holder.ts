import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { WorkspaceError } from '../../error.ts';
import type { LinuxSandboxEngine } from '../engine.ts';
import { systemCallFilter } from '../filter/filter.ts';
import type { Holder } from '../holder.ts';
import type { Layout } from '../layout/layout.ts';
import type { SandboxPlan } from '../plan.ts';
import { engineArguments, stepsFile } from './command-line.ts';
import { type Step, fileSystemSteps, stagePath } from './steps.ts';

/** Writes the files that bubblewrap or `unshare` read, and returns how they are started. */
export async function createLinuxHolder(
  layout: Layout,
  plan: SandboxPlan,
  engine: LinuxSandboxEngine,
  scratch: string,
  perl: string | undefined,
): Promise<Holder> {
  const filter = systemCallFilter(process.arch);
  if (filter === undefined) {
    throw new WorkspaceError('not-started', `hold an agent: no filter for ${process.arch}`);
  }
  const at = (name: string): string => path.join(scratch, name);
  writeFileSync(at('filter'), filter);
  writeFileSync(at('nothing'), '');
  chmodSync(at('nothing'), 0);
  writeFileSync(at('resolv.conf'), 'nameserver 127.0.0.1\noptions attempts:1 timeout:1\n');
  const sources = {
    temporary: at('tmp'),
    stage: at('stage'),
    nothing: at('nothing'),
    resolver: at('resolv.conf'),
  };
  const steps = await fileSystemSteps(layout, plan, sources);
  let commands = 0;
  return {
    command: '/bin/sh',
    temporary: '/tmp',
    stage: stagePath,
    argumentsFor({ line, cwd, report, log }) {
      commands += 1;
      const files = { steps: at(`steps-${String(commands)}`), filter: at('filter'), base: at('base') };
      const possible = stillPossible(steps, sources.nothing);
      writeFileSync(files.steps, stepsFile(possible, engine));
      const hasOwnNetwork = plan.network !== 'on';
      const mounted = possible.flatMap((step) => pathOutside(step, sources.nothing) ?? []);
      const command = { engine, files, report, log, perl, hasOwnNetwork, cwd, inside: line };
      return { args: engineArguments(command), mounted };
    },
  };
}

/** Without those for paths which no longer exist, such as the socket of a program that has ended. */
function stillPossible(steps: readonly Step[], nothing: string): readonly Step[] {
  return steps.filter((step) => {
    const outside = pathOutside(step, nothing);
    return outside === undefined || existsSync(outside);
  });
}

/** The path outside that a step mounts where it is, or hides; undefined for others. */
function pathOutside(step: Step, nothing: string): string | undefined {
  if (step[0] === 'tmpfs' || step[0] === 'remount-ro') return step[1];
  return step[1] === step[2] || (step[0] === 'ro-bind' && step[1] === nothing) ? step[2] : undefined;
}
