import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksIn } from './examples.mjs';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const [start = '', ...others] = blocksIn(readme, 'sh');
const [prompts = ''] = blocksIn(readme, 'text');

/** `work` is where the commands run. Programs below it are no agents of the catalogue: those are in `bin`. */
let root: string;
let folder: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'parley-readme-'));
  folder = join(root, 'work');
  await mkdir(join(folder, 'packages', 'wire'), { recursive: true });
  await writeFile(join(folder, 'packages', 'wire', 'README.md'), 'backpressure in both directions\n');
  await writeFile(join(folder, 'package.json'), '{}\n');
  await writeProgram('npx', 'case $1 in parley) shift; exec "$NODE" "$PARLEY_TEST_BIN" "$@";; esac; exit 9');
  await writeProgram(
    'npm',
    'case "$*" in ci | "run build") exit 0;; start) exec "$NODE" "$PARLEY_TEST_BIN" serve --port 0;; esac; exit 9',
  );
  // A sandbox hides /tmp, and with it this command if the repository is there.
  if (/^\/(?:var\/)?tmp\//u.test(process.env['PARLEY_TEST_BIN'] ?? '')) {
    await mkdir(join(root, 'home'));
    await writeFile(join(root, 'home', 'config.json'), '{ "sandbox": "off" }\n');
  }
  // Our own agent with its offline model in the place of agents that would call a model provider.
  const standIn =
    'case $1 in --version) echo 1.0.0; exit;; esac; unset ANTHROPIC_API_KEY GEMINI_API_KEY; exec "$NODE" "$PARLEY_TEST_BIN" agent';
  await writeProgram('claude-agent-acp', standIn);
  await writeProgram('gemini', standIn);
});
afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));

test.skipIf(process.platform === 'win32')(
  'README: the first step prints a URL that opens the web interface',
  async () => {
    expect(start).toContain('npm start');
    const server = shell(start);
    const ended = once(server, 'close');
    const errors = text(server.stderr);
    const lines = createInterface({ input: server.stdout });
    let url: string | undefined;
    for await (const line of lines) {
      url = /http:\/\/\S+/.exec(line)?.[0];
      if (url !== undefined) break;
    }
    server.stdout.resume();

    expect(url, url === undefined ? await errors : '').toBeDefined();
    expect((await fetch(new URL('/healthz', url))).status).toBe(200);
    // The shell, and the server that it started.
    process.kill(-(server.pid ?? 0), 'SIGTERM');
    await ended;
  },
);

test.skipIf(process.platform === 'win32')(
  'README: every other command succeeds as written, in order',
  async () => {
    expect(others.length).toBeGreaterThan(2);
    for (const block of others) {
      const { status, output } = await run(block);
      expect(status, output).toBe(0);
    }
  },
);

test.skipIf(process.platform === 'win32')(
  'README: the offline demo model understands every prompt that is shown',
  async () => {
    expect(prompts).toContain('search');
    const { status, output } = await run(`npx parley run --approve all '${prompts}'`);
    expect(output).toContain('packages/wire/README.md');
    expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toContain('first line');
    expect(status).toBe(0);
  },
);

test('README is shorter than 120 lines', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(120);
});

async function writeProgram(name: string, script: string): Promise<void> {
  const file = join(root, 'bin', name);
  await mkdir(join(root, 'bin'), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}

/** Runs commands of the README in a folder of their own, with `npm` and `npx` that use the bundle of this test run. */
function shell(commands: string) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/_API_KEY$|^LLM_PROVIDER$|^PARLEY_/.test(name),
  );
  return spawn('/bin/sh', ['-e', '-c', commands], {
    cwd: folder,
    detached: true,
    timeout: 200_000,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...Object.fromEntries(inherited),
      PATH: `${join(root, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
      NODE: process.execPath,
      PARLEY_TEST_BIN: process.env['PARLEY_TEST_BIN'] ?? '',
      PARLEY_HOME: join(root, 'home'),
    },
  });
}

async function run(commands: string): Promise<{ readonly status: unknown; readonly output: string }> {
  const child = shell(commands);
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { status, output: `${stdout}${stderr}` };
}
