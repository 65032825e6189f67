import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findOnPath, searchPath, versionFolder } from '@parley/host';
import { keepProcessRecord, runCommand } from '@parley/workspace';
import { eventLogsFolder, processesFolder, type Variables } from '../configuration/places.ts';
import { toFileReason } from '../input-file.ts';
import { readNodeRange } from '../version.ts';
import { examineRoom } from './examine-room.ts';
import { type Finding, note, ok, problem } from './finding.ts';

/** How long a program may take to print its version. */
const versionTimeoutMs = 5000;

/** Node, ripgrep, git, the state folder, and what earlier runs left behind. */
export async function examineMachine(cwd: string, env: Variables): Promise<readonly Finding[]> {
  // What a project has put on PATH is not run to find out its version.
  const search = await searchPath(env, [cwd]);
  return [
    examineNode(process.versions.node, readNodeRange()),
    await examineRipgrep(),
    await examineGit(search.env),
    await examineStateFolder(path.dirname(eventLogsFolder(env))),
    ...(await examineRoom(path.dirname(eventLogsFolder(env)))),
    await examineProcesses(processesFolder(env)),
  ];
}

/** Whether this Node is one that the package is made for; the range is of the form `>=1.2`. */
export function examineNode(version: string, range: string): Finding {
  const least = range.replace(/^>=/u, '');
  const isNewEnough = compare(version.split('.').map(Number), least.split('.').map(Number)) >= 0;
  return isNewEnough
    ? ok('node', version)
    : problem('node', `${version} is older than ${least}`, `install Node ${least} or later`);
}

function compare(left: readonly number[], right: readonly number[]): number {
  for (const [index, part] of right.entries()) {
    const difference = (left[index] ?? 0) - part;
    if (difference !== 0) return difference;
  }
  return 0;
}

async function examineRipgrep(): Promise<Finding> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    const version = await askVersion(rgPath);
    return ok('ripgrep', version);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return problem('ripgrep', `searching does not work: ${reason}`, 'reinstall parley-acp');
  }
}

async function examineGit(env: Variables): Promise<Finding> {
  const git = await findOnPath('git', env);
  if (git === undefined) return note('git', 'not on PATH', 'install it: agents work best in repositories');
  try {
    return ok('git', await askVersion(git, env));
  } catch {
    // Such as the stub of macOS that wants to install developer tools.
    return note('git', `${git} does not run`, 'run "git --version" to see the problem');
  }
}

async function askVersion(command: string, env: Variables = {}): Promise<string> {
  const { output, status, ended } = await runCommand({
    command,
    args: ['--version'],
    cwd: await versionFolder(),
    env: { PATH: env['PATH'] },
    timeoutMs: versionTimeoutMs,
    limitBytes: 4096,
    keep: 'both-ends',
  });
  if (status.exitCode !== 0) {
    throw new Error(`${command} ended with ${ended ?? String(status.exitCode ?? status.signal)}`);
  }
  return `${/\d+(?:\.\d+)+/u.exec(output)?.[0] ?? 'of an unknown version'}, ${command}`;
}

async function examineStateFolder(folder: string): Promise<Finding> {
  const file = path.join(folder, `.doctor-${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(file, '', { mode: 0o600, flag: 'wx' });
    return ok('state', folder);
  } catch (error) {
    return problem(
      'state',
      `cannot write to ${folder}: ${toFileReason(error)}`,
      'make the folder writable, or set PARLEY_HOME or XDG_STATE_HOME to one that is',
    );
  } finally {
    // The finding reports what is wrong with the folder already.
    await rm(file, { force: true }).catch(() => undefined);
  }
}

async function examineProcesses(folder: string): Promise<Finding> {
  try {
    const count = await keepProcessRecord(folder);
    return count === 0
      ? ok('processes', 'no processes are left from earlier runs')
      : note('processes', `${String(count)} left by an earlier parley: terminated`);
  } catch (error) {
    return problem(
      'processes',
      `cannot record the started processes in ${folder}: ${toFileReason(error)}`,
      'make the folder writable',
    );
  }
}
