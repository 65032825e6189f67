import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { runCommand, takeLock } from '@parley/workspace';
import { HostError } from '../../host-error.ts';
import { findInstalledPackage, toExactPackage, type PackageCommand } from './installed-package.ts';
import { findNpm, npmVariables } from './npm-command.ts';
import type { SearchVariables } from './search-path.ts';

/** Where packages are installed, and with which npm. */
export interface InstallOptions {
  /** A folder of ours; packages lie below it, by platform, name and version. */
  readonly packageFolder: string;
  /** npm is found on its `PATH`, on which no project has a folder. */
  readonly env: SearchVariables;
  /** Called when the package is not there, before it is installed. */
  readonly onInstall?: () => void;
  /** Called with the number of files that npm has fetched so far. */
  readonly onProgress?: (fetched: number) => void;
  readonly signal?: AbortSignal;
}

/** Duration of an installation, including the wait for an installation by another process. */
const installMs = 600_000;

/** Interval of checks whether another process has finished its installation. */
const lockRetryMs = 200;

/** Stored output of npm. */
const outputBytes = 16 * 1024;

/** Lines of npm's output in an error message. */
const shownLines = 6;

/** How the program of a package is started that was installed before, in this exact version. */
export function findFetchedPackage(
  specifier: string,
  packageFolder: string,
): Promise<PackageCommand | undefined> {
  return findInstalledPackage(folderOf(specifier, packageFolder), toExactPackage(specifier));
}

/**
 * Installs an npm package in an exact version into a folder of Parley, unless it is installed. npm runs in that folder, reads
 * no settings of a project, and runs no install scripts. The package appears atomically when it is complete; a damaged
 * one is installed again.
 *
 * @returns How its program is started, by absolute paths.
 * @throws {HostError} `start-failed`: npm was not found, or it failed. `aborted`.
 */
export async function installPackage(specifier: string, options: InstallOptions): Promise<PackageCommand> {
  const { packageFolder, onInstall, signal } = options;
  const wanted = toExactPackage(specifier);
  const folder = folderOf(specifier, packageFolder);
  const found = await findInstalledPackage(folder, wanted);
  if (found !== undefined) return found;
  onInstall?.();
  const deadline = AbortSignal.timeout(installMs);
  const ending = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
  const release = await waitForLock(`${folder}.lock`, specifier, ending, signal);
  try {
    // Another process may have installed it meanwhile.
    const installed = await findInstalledPackage(folder, wanted);
    if (installed !== undefined) return installed;
    const fresh = `${folder}.new`;
    // What an installation that was killed has left: we have the lock.
    await rm(fresh, { recursive: true, force: true });
    try {
      await install(specifier, fresh, options, ending);
      if ((await findInstalledPackage(fresh, wanted)) === undefined) {
        throw failed(specifier, 'npm installed it, but it has no program to start');
      }
      await rm(folder, { recursive: true, force: true });
      await rename(fresh, folder);
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
    const command = await findInstalledPackage(folder, wanted);
    if (command === undefined) throw failed(specifier, `${folder} changed in the meantime`);
    return command;
  } catch (error) {
    if (error instanceof HostError) throw error;
    throw failed(specifier, error instanceof Error ? error.message : String(error), error);
  } finally {
    await release();
  }
}

function folderOf(specifier: string, packageFolder: string): string {
  const parent = path.join(packageFolder, `${process.platform}-${process.arch}`);
  return path.join(parent, specifier.replaceAll('/', '+'));
}

async function install(
  specifier: string,
  folder: string,
  { env, onProgress, signal }: InstallOptions,
  ending: AbortSignal,
): Promise<void> {
  const npm = await findNpm(env);
  if (npm === undefined) throw failed(specifier, 'npm is not on PATH');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Else npm would look for a project in the folders above.
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n', { mode: 0o600 });
  let fetched = 0;
  const { status, output, ended } = await runCommand({
    command: npm.command,
    args: [...npm.args, 'install', ...npmOptions, '--prefix', folder, '--', specifier],
    cwd: folder,
    env: npmVariables(env),
    limitBytes: outputBytes,
    onOutput: (text) => {
      const added = text.match(fetchedLine)?.length ?? 0;
      if (added === 0) return;
      fetched += added;
      onProgress?.(fetched);
    },
    signal: ending,
  });
  if (signal?.aborted === true) throw aborted(specifier);
  if (ended !== undefined) throw failed(specifier, `npm took longer than ${String(installMs / 1000)} s`);
  if (status.exitCode === 0) return;
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('npm http'));
  const unreachable = unreachableCode.exec(output)?.[0];
  if (unreachable !== undefined) {
    throw failed(
      specifier,
      `npm could not reach its registry (${unreachable}). Check the network connection and the proxy settings of npm, then try again`,
    );
  }
  const end = lines.slice(-shownLines).join('\n');
  throw failed(specifier, `npm ended with ${String(status.exitCode ?? status.signal)}:\n${end}`);
}

/** Override the user's npm settings. All other settings apply: registry, proxy, certificates, keys. */
const npmOptions = [
  '--ignore-scripts',
  '--no-global',
  '--install-strategy=hoisted',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--no-progress',
  '--loglevel=http',
  // Without a network, npm retries for more than a minute otherwise.
  '--fetch-retries=2',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
  '--omit=dev',
];

/** npm writes one for each file that it fetched. */
const fetchedLine = /npm http fetch GET 2/gu;

/** npm's error codes for a registry that it cannot reach. */
const unreachableCode =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT)\b/u;

async function waitForLock(
  file: string,
  specifier: string,
  ending: AbortSignal,
  signal: AbortSignal | undefined,
): Promise<() => Promise<void>> {
  for (;;) {
    const attempt = await takeLock(file);
    if (attempt.isTaken) return attempt.release;
    try {
      await setTimeout(lockRetryMs, undefined, { signal: ending });
    } catch {
      if (signal?.aborted === true) throw aborted(specifier);
      throw failed(specifier, `process ${String(attempt.holder.pid)} is still installing it`);
    }
  }
}

function aborted(specifier: string): HostError {
  return new HostError('aborted', `install ${specifier}: aborted`);
}

function failed(specifier: string, reason: string, cause?: unknown): HostError {
  return new HostError('start-failed', `install ${specifier}: ${reason}`, { cause });
}
