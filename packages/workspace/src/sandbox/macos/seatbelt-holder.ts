import { realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SandboxEngine } from '../engine.ts';
import type { Holder } from '../holder.ts';
import type { Layout } from '../layout/layout.ts';
import type { SandboxPlan } from '../plan.ts';
import { seatbeltProfile } from './seatbelt-profile.ts';

/** Writes the profile that `sandbox-exec` reads, and returns how it is started. */
export async function createSeatbeltHolder(
  layout: Layout,
  plan: SandboxPlan,
  engine: SandboxEngine,
  scratch: string,
): Promise<Holder> {
  const temporary = await realpath(path.join(scratch, 'tmp'));
  const profile = path.join(scratch, 'profile');
  await writeFile(profile, seatbeltProfile(layout, plan, temporary, path.join(scratch, 'stage')));
  return {
    command: '/bin/sh',
    temporary,
    stage: path.join(scratch, 'stage'),
    argumentsFor: ({ line, report, log }) => ({
      args: ['-c', seatbeltScript, 'parley-sandbox', report, log, engine.program, '-f', profile, ...line],
      mounted: [],
    }),
  };
}

/** Opens the report and the log, then becomes `sandbox-exec`, which starts the command in the same folder. */
const seatbeltScript = `exec 3>"$1" 4>&2 2>"$2"
shift 2
exec "$@"
`;
