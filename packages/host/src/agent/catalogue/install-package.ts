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
  readonly signal?: AbortSignal;
}

/** How long an installation may take, the wait for that of another process included. */
const installMs = 600_000;

/** How often another process is asked whether it is done. */
const lockRetryMs = 200;

/** How much of what npm prints is kept. */
const outputBytes = 16 * 1024;

/** How much of that an error shows. */
const shownLines = 6;

/**
 * Installs an npm package in one exact version into a folder of ours, unless it is there: npm stands in that folder, reads
 * no settings of a project, and runs no script of a package. The package appears at one stroke, when it is whole; one
 * that was damaged is installed again.
 *
 * @returns How its program is started, by absolute paths.
 * @throws {HostError} `start-failed`: there is no npm, or it failed. `aborted`.
 */
export async function installPackage(specifier: string, options: InstallOptions): Promise<PackageCommand> {
  const { packageFolder, onInstall, signal } = options;
  const wanted = toExactPackage(specifier);
  const parent = path.join(packageFolder, `${process.platform}-${process.arch}`);
  const folder = path.join(parent, specifier.replaceAll('/', '+'));
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
    if (command === undefined) throw failed(specifier, `${folder} was changed meanwhile`);
    return command;
  } catch (error) {
    if (error instanceof HostError) throw error;
    throw failed(specifier, error instanceof Error ? error.message : String(error), error);
  } finally {
    await release();
  }
}

async function install(
  specifier: string,
  folder: string,
  { env, signal }: InstallOptions,
  ending: AbortSignal,
): Promise<void> {
  const npm = await findNpm(env);
  if (npm === undefined) throw failed(specifier, 'npm is not on PATH');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Else npm would look for a project in the folders above.
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n', { mode: 0o600 });
  const { status, output, ended } = await runCommand({
    command: npm.command,
    args: [...npm.args, 'install', ...npmOptions, '--prefix', folder, '--', specifier],
    cwd: folder,
    env: npmVariables(env),
    limitBytes: outputBytes,
    signal: ending,
  });
  if (signal?.aborted === true) throw aborted(specifier);
  if (ended !== undefined) throw failed(specifier, `npm took longer than ${String(installMs / 1000)} s`);
  if (status.exitCode === 0) return;
  const lines = output.trimEnd().split('\n').slice(-shownLines).join('\n');
  throw failed(specifier, `npm ended with ${String(status.exitCode ?? status.signal)}:\n${lines}`);
}

/** They count more than the settings of the user, which hold for all else: registry, proxy, certificates, keys. */
const npmOptions = [
  '--ignore-scripts',
  '--no-global',
  '--install-strategy=hoisted',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--no-progress',
  '--loglevel=error',
  '--omit=dev',
];

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
