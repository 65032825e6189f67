// npm run bench: builds the packages as they are published and the bench's programs as plain modules, then measures.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildPrograms } from './build.mjs';

const args = process.argv.slice(2);
const root = fileURLToPath(new URL('..', import.meta.url));

if (!args.includes('--no-build') && !args.includes('--help')) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: ['ignore', process.stderr, 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}
const folder = await buildPrograms('parley-bench', { fromSources: false });
const { status } = spawnSync(process.execPath, [`${folder}run.mjs`, ...args], { stdio: 'inherit' });
process.exit(status ?? 1);
