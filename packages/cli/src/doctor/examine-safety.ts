import { stat } from 'node:fs/promises';
import path from 'node:path';
import { searchPath } from '@parley/host';
import { isSystemShell } from '@parley/workspace';
import { eventLogsFolder, packagesFolder, userFile, type Variables } from '../configuration/places.ts';
import { type Finding, note, ok, problem } from './finding.ts';

/** Whether a project, or another user of this machine, could choose what runs. */
export async function examineSafety(cwd: string, env: Variables): Promise<readonly Finding[]> {
  return [await examinePath(cwd, env), ...examineShell(), ...(await examineFolders(env))];
}

async function examinePath(cwd: string, env: Variables): Promise<Finding> {
  const { leftOut } = await searchPath(env, [cwd]);
  if (leftOut.length === 0) return ok('PATH', 'has no folder of this project');
  return note(
    'PATH',
    `has folders inside this project: ${leftOut.join(', ')}. Parley ignores them when it looks for and runs known agents`,
    'remove them from PATH: commands of agents, and agents that you start by their command line, would run programs in them',
  );
}

/** Whether the shell that runs lines is known to be the system's: only then rules can see what a line runs. */
export function examineShell(
  shell = '/bin/sh',
  platform: NodeJS.Platform = process.platform,
): readonly Finding[] {
  // There lines go to `cmd`, whose place is fixed.
  if (platform === 'win32' || isSystemShell(shell, { platform })) return [];
  return [
    problem(
      'shell',
      `${shell} is not a trusted system shell: it is missing, not owned by root, or others can write to it or its folder. Each shell command asks, even if a rule allows it`,
      `make root the owner of ${shell} and its folder, and run chmod go-w on both`,
    ),
  ];
}

/** Configuration and state decide what runs: no other user may write there. */
async function examineFolders(env: Variables): Promise<readonly Finding[]> {
  // Windows has no such modes.
  if (process.platform === 'win32') return [];
  const places = new Set([
    path.dirname(userFile(env)),
    userFile(env),
    path.dirname(eventLogsFolder(env)),
    packagesFolder(env),
  ]);
  const found = (await Promise.all([...places].map(examinePlace))).flat();
  return found.length > 0 ? found : [ok('permissions', 'only you can write configuration and state')];
}

async function examinePlace(place: string): Promise<Finding[]> {
  const stats = await stat(place).catch(() => undefined);
  if (stats === undefined) return [];
  const uid = process.getuid?.();
  if (uid !== undefined && stats.uid !== uid && stats.uid !== 0) {
    return [
      problem(
        'permissions',
        `${place} belongs to another user, who decides what runs`,
        'change its owner with chown',
      ),
    ];
  }
  const advice = `run chmod go-w ${place}`;
  if ((stats.mode & 0o002) !== 0) {
    return [
      problem(
        'permissions',
        `every user of this machine can write to ${place}, and decide what runs`,
        advice,
      ),
    ];
  }
  if ((stats.mode & 0o020) === 0) return [];
  return [note('permissions', `the group of ${place} can write to it, and decide what runs`, advice)];
}
