import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findSandboxEngine, type SandboxEngine } from '@parley/workspace/sandbox';

/** The engines of this machine that tests can run. bubblewrap is installed where it can be; what is missing is reported. */
export async function findEngines(): Promise<readonly SandboxEngine[]> {
  if (process.platform !== 'linux') {
    skipped('they need Linux');
    return [];
  }
  const found = await findSandboxEngine({ projects: [] });
  const bubblewrap =
    found.name !== 'bubblewrap' && (await install()) ? await findSandboxEngine({ projects: [] }) : found;
  const engines: SandboxEngine[] = [];
  if (bubblewrap.name === 'bubblewrap') engines.push(bubblewrap);
  else skipped('bubblewrap is not installed');
  const unshare = await findUnshare();
  if (unshare === undefined) skipped('unshare or perl is not installed');
  else engines.push(unshare);
  return engines;
}

/** The engine that is used where bubblewrap is missing: `PATH` has only `unshare`. */
async function findUnshare(): Promise<SandboxEngine | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-unshare-'));
  try {
    await symlink('/usr/bin/unshare', path.join(folder, 'unshare'));
    const found = await findSandboxEngine({ projects: [], env: { PATH: folder } });
    return found.name === 'unshare' ? { ...found, program: '/usr/bin/unshare' } : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function skipped(reason: string): void {
  process.stderr.write(`Tests of the sandbox are SKIPPED: ${reason}.\n`);
}

async function install(): Promise<boolean> {
  const isDebian = /^ID(?:_LIKE)?=.*debian/mu.test(await readFile('/etc/os-release', 'utf8').catch(() => ''));
  if (!isDebian || process.getuid?.() !== 0) return false;
  const get = 'apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -y -qq';
  // Several files of tests find out at the same time.
  const lock = path.join(tmpdir(), 'parley-bubblewrap.lock');
  const commands = `[ -e /usr/bin/bwrap ] || { ${get} update && ${get} install --no-install-recommends bubblewrap; }`;
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
