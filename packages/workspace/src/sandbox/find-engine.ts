import { access } from 'node:fs/promises';
import path from 'node:path';
import { type FoundProgram, findProgram } from '../process/find-program.ts';
import type { MissingSandboxEngine, SandboxEngine } from './engine.ts';
import { systemCallFilter } from './filter/filter.ts';

/** Where an engine is searched. */
export interface FindSandboxEngineOptions {
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folders of projects: programs in them are not used. */
  readonly projects: readonly string[];
  /** @default process.platform */
  readonly platform?: NodeJS.Platform;
}

/** Finds the engine of this machine. bubblewrap is used where it is installed, also if it turns out to be broken. */
export async function findSandboxEngine(
  options: FindSandboxEngineOptions,
): Promise<SandboxEngine | MissingSandboxEngine> {
  const { platform = process.platform } = options;
  switch (platform) {
    case 'linux':
      return await findLinuxEngine(options);
    case 'darwin': {
      const program = '/usr/bin/sandbox-exec';
      if (await isThere(program)) return { name: 'sandbox-exec', program };
      return { name: 'none', problem: `${program} is missing on this machine` };
    }
    default:
      return { name: 'none', problem: `there is no sandbox for agents on ${platform}` };
  }
}

async function findLinuxEngine(
  options: FindSandboxEngineOptions,
): Promise<SandboxEngine | MissingSandboxEngine> {
  if (systemCallFilter(process.arch) === undefined) {
    return { name: 'none', problem: `there is no sandbox for processors of type ${process.arch}` };
  }
  const bubblewrap = await find('bwrap', options);
  if (bubblewrap !== undefined) return { name: 'bubblewrap', program: bubblewrap.found };
  const unshare = await find('unshare', options);
  const perl = await findPerl(options);
  if (unshare !== undefined && perl !== undefined) return { name: 'unshare', program: unshare.found, perl };
  const problem =
    unshare === undefined
      ? 'bubblewrap (bwrap) is not installed'
      : 'bubblewrap (bwrap) is not installed, and unshare needs perl';
  const advice = await installCommand();
  return { name: 'none', problem, ...(advice !== undefined && { advice }) };
}

/** Finds Perl by its real path, because it also runs inside, where a link to it may be hidden. */
export async function findPerl(options: FindSandboxEngineOptions): Promise<string | undefined> {
  return (await find('perl', options, systemPath))?.realPath;
}

const systemPath = '/usr/local/bin:/usr/bin:/bin';

async function find(
  name: string,
  { env = process.env, projects }: FindSandboxEngineOptions,
  further = '',
): Promise<FoundProgram | undefined> {
  const searchPath = `${env['PATH'] ?? ''}:${further}`;
  const found = await findProgram(name, { cwd: '/', searchPath, projects });
  return found === undefined || found.isOfProject ? undefined : found;
}

/** The first package manager that is there names the command. */
async function installCommand(): Promise<string | undefined> {
  for (const [program, command] of packageManagers) {
    if (await isThere(path.join('/usr/bin', program))) return command;
  }
  return (await isThere('/sbin/apk')) ? 'apk add bubblewrap' : undefined;
}

const packageManagers = [
  ['apt-get', 'sudo apt-get install bubblewrap'],
  ['dnf', 'sudo dnf install bubblewrap'],
  ['pacman', 'sudo pacman -S bubblewrap'],
  ['zypper', 'sudo zypper install bubblewrap'],
] as const;

async function isThere(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
