import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const usualPlaces = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * The program of Chromium: that of `CHROMIUM_PATH`, else the installed one, else Debian's, which is installed where it can be.
 * Undefined where there is none, and the tests that need one are skipped.
 */
export const chromium: string | undefined = await findChromium();

async function findChromium(): Promise<string | undefined> {
  const given = process.env['CHROMIUM_PATH'];
  const places = given === undefined ? usualPlaces : [given];
  const found =
    (await firstOf(places)) ?? (given === undefined && (await install()) ? await firstOf(places) : undefined);
  if (found === undefined) {
    process.stderr.write(
      'No Chromium: the end-to-end tests of the web interface are SKIPPED. Install it, or say in CHROMIUM_PATH where it is.\n',
    );
  }
  return found;
}

async function firstOf(places: readonly string[]): Promise<string | undefined> {
  for (const place of places) {
    const isThere = await access(place).then(
      () => true,
      () => false,
    );
    if (isThere) return place;
  }
  return undefined;
}

async function install(): Promise<boolean> {
  const isDebian = /^ID(?:_LIKE)?=.*debian/mu.test(await readFile('/etc/os-release', 'utf8').catch(() => ''));
  if (!isDebian || process.getuid?.() !== 0) return false;
  const get = 'apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -y -qq';
  // Several files of tests find out at the same time.
  const lock = path.join(tmpdir(), 'parley-chromium.lock');
  const commands = `[ -e ${usualPlaces[0] ?? ''} ] || { ${get} update && ${get} install --no-install-recommends chromium; }`;
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
