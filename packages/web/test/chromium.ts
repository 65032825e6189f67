import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findChromium, headlessShell, howToGetChromium, usualPlaces } from './find-chromium.ts';

/**
 * The path of Chromium: `CHROMIUM_PATH`, else an installed one, else Debian's package, which is installed if
 * possible. Undefined if there is none; tests that need it are then skipped.
 */
export const chromium: string | undefined = await findOrInstall();

/** Chromium for tests that need no notifications: the headless shell if it is installed and `CHROMIUM_PATH` names no other. */
export const smallChromium: string | undefined = await findSmall();

async function findSmall(): Promise<string | undefined> {
  if (chromium === undefined || process.env['CHROMIUM_PATH'] !== undefined) return chromium;
  return access(headlessShell).then(
    () => headlessShell,
    () => chromium,
  );
}

async function findOrInstall(): Promise<string | undefined> {
  const found =
    (await findChromium()) ??
    (process.env['CHROMIUM_PATH'] === undefined && (await install()) ? await findChromium() : undefined);
  if (found === undefined) {
    process.stderr.write(
      `No Chromium: the end-to-end tests of the web interface are SKIPPED. ${howToGetChromium}\n`,
    );
  }
  return found;
}

async function install(): Promise<boolean> {
  const isDebian = /^ID(?:_LIKE)?=.*debian/mu.test(await readFile('/etc/os-release', 'utf8').catch(() => ''));
  if (!isDebian || process.getuid?.() !== 0) return false;
  const get = 'apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -y -qq';
  // Several files of tests find out at the same time.
  const lock = path.join(tmpdir(), 'parley-chromium.lock');
  const put = `${get} install --no-install-recommends chromium`;
  // A release of Debian may have no headless shell.
  const commands = `[ -e ${usualPlaces[0]} ] || { ${get} update && { ${put} chromium-headless-shell || ${put}; }; }`;
  try {
    await promisify(execFile)('flock', [lock, 'sh', '-c', commands], {
      timeout: 240_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    return true;
  } catch {
    // Without a network, for example.
    return false;
  }
}
