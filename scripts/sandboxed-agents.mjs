import { spawn, spawnSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { agents, writeSettings } from './sandboxed-agents/agents.mjs';
import { openProvider } from './sandboxed-agents/provider.mjs';

// node scripts/sandboxed-agents.mjs [--cache FOLDER] [--verbose] [AGENT…]
//
// Runs whole turns of real agents with --sandbox workspace, and prints the table of docs/sandbox.md. The agents are installed from the
// npm registry, in the versions of the catalogue, into a cache folder (default: ~/.cache/parley-agents); their model provider is a
// server of this script. It asks each agent to write a file with its own tool, and then to run a command that writes a file in the
// workspace, writes one outside, and reads a key. The same turn without a sandbox shows that the command would do all of it.
// Exits with status 1 if a turn fails or a sandbox does not hold.

const args = process.argv.slice(2);
const isVerbose = args.includes('--verbose');
const cacheAt = args.indexOf('--cache');
const cache = resolve(
  (cacheAt === -1 ? undefined : args[cacheAt + 1]) ??
    join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'parley-agents'),
);
const chosen = args.filter((each, at) => !each.startsWith('-') && (cacheAt === -1 || at !== cacheAt + 1));
const root = fileURLToPath(new URL('..', import.meta.url));
const catalogue = join(root, 'packages', 'host', 'src', 'agent', 'catalogue', 'agents');
const parley = join(root, 'packages', 'cli', 'bin', 'parley.js');
/** The first version whose `fetch` uses the proxy of a sandbox is 22.21; several agents need 22. */
const nodeVersion = '22.23.3';
/** A turn takes at most this long, an installation included. */
const patienceSeconds = 600;
const secret = 'the secret of a key';

await mkdir(cache, { recursive: true });
run('node', [join(root, 'scripts', 'bundle.mjs')]);
const node = nodeCommand();
const provider = await openProvider();
const url = `http://127.0.0.1:${provider.port}`;
/** @type {string[]} */
const rows = [];
/** @type {string[]} Agents of which something failed. */
const failed = [];
try {
  for (const agent of agents) {
    if (chosen.length > 0 && !chosen.includes(agent.name)) continue;
    rows.push(await rowOf(agent));
  }
} finally {
  provider.close();
}
console.log('| Agent | Packages | Tools | Turn | Held | Hosts |\n| --- | --- | --- | --- | --- | --- |');
console.log(rows.join('\n'));
process.exitCode = failed.length === 0 ? 0 : 1;

/**
 * @param {import('./sandboxed-agents/agents.mjs').Agent} agent
 * @returns {Promise<string>} A row of the table.
 */
async function rowOf(agent) {
  const others = agent.packages ?? [];
  const { title, id, sandbox } = JSON.parse(
    run(node, [parley, 'agents', 'show', agent.name, '--json'], { PARLEY_HOME: join(cache, 'parley') }),
  );
  const entry = JSON.parse(await readFile(join(catalogue, `${id}.json`), 'utf8'));
  const own = entry.distribution.npx.package;
  const programs = [...others, ...(agent.needsScripts === true ? [own] : [])].map((each) =>
    install(each, agent.needsScripts),
  );
  const path = [dirname(node), ...programs, process.env['PATH']].join(delimiter);
  const hosts = [...sandbox.hosts, ...(await addressesOf(sandbox.hosts)), new URL(url).host];
  const setting = { hosts, path };
  process.stderr.write(`${title}\n`);
  const free = await turnOf(agent, 'off', setting);
  const held = await turnOf(agent, 'workspace', setting);
  const failures = [
    ...held.failures.map((each) => `in the sandbox: ${each}`),
    ...free.failures.map((each) => `without a sandbox: ${each}`),
    ...(held.isOutside ? ['a file outside was written'] : []),
    ...(held.hasSecret ? ['the key reached the model'] : []),
    // Otherwise the command that the sandbox holds shows nothing.
    ...(free.isOutside && free.hasSecret ? [] : ['without a sandbox, the command did not do what it should']),
  ];
  if (failures.length > 0) failed.push(agent.name);
  return `| ${[
    `${title}, ${agent.name}`,
    [own, ...others].map((each) => `\`${each}\``).join(', '),
    held.called.map((name) => `\`${name}\``).join(', '),
    held.failures.length === 0
      ? `${held.seconds.toFixed(0)} s (${free.seconds.toFixed(0)} s without)`
      : 'failed',
    failures.length === 0 ? 'yes' : failures.join('; '),
    held.hosts.join(', '),
  ].join(' | ')} |`;
}

/**
 * @param {import('./sandboxed-agents/agents.mjs').Agent} agent
 * @param {'off' | 'workspace'} mode
 * @param {{ hosts: readonly string[], path: string }} setting
 */
async function turnOf(agent, mode, { hosts, path }) {
  // Not in /tmp, which a sandbox hides.
  const folder = await mkdtemp(join(cache, 'turn-'));
  const [home, workspace] = [join(folder, 'home'), join(folder, 'workspace')];
  const outside = join(folder, 'outside.txt');
  await mkdir(join(home, '.ssh'), { recursive: true });
  await writeFile(join(home, '.ssh', 'id_ed25519'), secret);
  run('git', ['init', '--quiet', workspace]);
  await writeSettings(agent, home, url);
  const configuration = join(folder, 'config.json');
  await writeFile(
    configuration,
    JSON.stringify({ agents: { [agent.name]: { sandbox: { network: hosts } } } }),
  );
  const answer = 'The script ends here.';
  const command = `echo inside >by-command.txt; echo outside >'${outside}'; cat '${home}/.ssh/id_ed25519'; true`;
  provider.begin({ file: join(workspace, 'by-tool.txt'), content: 'written by a tool', command, answer });
  const begin = performance.now();
  const words = [
    ['run', '--format', 'json', '-a', agent.name, '--sandbox', mode, '--approve', 'all'],
    ['--config', configuration, '--timeout', `${patienceSeconds}`, ...(agent.flags ?? [])],
  ];
  const child = spawn(node, [parley, ...words.flat(), 'Follow the script.'], {
    cwd: workspace,
    env: {
      ...withoutKeys(process.env),
      HOME: home,
      PATH: path,
      PARLEY_HOME: join(cache, 'parley'),
      npm_config_cache: process.env['npm_config_cache'] ?? join(homedir(), '.npm'),
      ...agent.variables?.(url),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((done) => child.once('close', done));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const seconds = (performance.now() - begin) / 1000;
  const lines = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const { bodies, called } = provider.seen();
  const read = (/** @type {string} */ name) => readFile(join(workspace, name), 'utf8').catch(() => 'missing');
  const session = lines.find(({ type }) => type === 'session');
  const stop = lines.findLast(({ type }) => type === 'stop');
  const checks = {
    [`exit status ${status}`]: status === 0,
    [`stop reason ${stop?.stopReason ?? stop?.error?.code}`]: stop?.stopReason === 'end_turn',
    [`held by ${JSON.stringify(session?.sandbox)}`]: (session?.sandbox?.mode ?? 'off') === mode,
    'no answer': stdout.includes(answer),
    'no file by the tool': (await read('by-tool.txt')).startsWith('written by a tool'),
    'no file by the command': (await read('by-command.txt')) === 'inside\n',
    [`git status: ${run('git', ['-C', workspace, 'status', '--porcelain']).trim()}`]:
      run('git', ['-C', workspace, 'status', '--porcelain']).trim() === '?? by-command.txt\n?? by-tool.txt',
  };
  const result = {
    seconds,
    called,
    failures: Object.entries(checks).flatMap(([failure, isRight]) => (isRight ? [] : [failure])),
    isOutside: existsSync(outside),
    hasSecret: bodies.some((body) => body.includes(secret)),
    hosts: lines
      .filter(({ type }) => type === 'network')
      .flatMap((line) => line.hosts)
      .map(
        ({ host, port, blocked }) =>
          (host === '127.0.0.1' ? 'the provider' : `${host}:${port}`) + (blocked > 0 ? ' (blocked)' : ''),
      ),
  };
  process.stderr.write(`  ${mode}: ${result.failures.join(', ') || 'done'}, ${seconds.toFixed(1)} s\n`);
  if (isVerbose) {
    process.stderr.write(`${stdout}\n${stderr}\n${bodies.map((body) => body.slice(0, 3000)).join('\n')}\n`);
  }
  await rm(folder, { recursive: true, force: true });
  return result;
}

/**
 * The addresses of listed hosts: where a name leads to a mirror in a private network, the sandbox asks for its address too.
 *
 * @param {readonly string[]} hosts
 */
async function addressesOf(hosts) {
  const found = await Promise.allSettled(hosts.map((host) => lookup(host, { all: true })));
  return found
    .flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    .map(({ address, family }) => (family === 6 ? `[${address}]` : address));
}

/**
 * Keys, and settings of the agents, are none of a new user.
 *
 * @param {NodeJS.ProcessEnv} env
 */
function withoutKeys(env) {
  const own = /^(?:ANTHROPIC|OPENAI|GEMINI|GOOGLE|CLAUDE|CODEX|QWEN|OPENCODE|PI|LLM|PARLEY|XDG)_/u;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !own.test(name)));
}

/** The Node that runs this script, or one that is new enough. */
function nodeCommand() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 21)) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  install(`${name}@${nodeVersion}`);
  return join(folderOf(`${name}@${nodeVersion}`), 'node_modules', name, 'bin', 'node');
}

/** @param {string} specifier */
function folderOf(specifier) {
  return join(cache, 'packages', specifier.replaceAll('/', '+'));
}

/**
 * Installs a package, unless it is installed.
 *
 * @param {string} specifier
 * @param {boolean} [hasScripts] Whether its install scripts run.
 * @returns {string} The folder with its programs.
 */
function install(specifier, hasScripts = false) {
  const folder = folderOf(specifier);
  if (!existsSync(join(folder, 'node_modules', '.package-lock.json'))) {
    mkdirSync(folder, { recursive: true });
    // Otherwise npm looks for a project in the folders above.
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const scripts = hasScripts ? [] : ['--ignore-scripts'];
    const options = [...scripts, '--no-audit', '--no-fund', '--omit=dev', '--prefix', folder];
    run('npm', ['install', ...options, specifier]);
  }
  return join(folder, 'node_modules', '.bin');
}

/**
 * @param {string} command
 * @param {readonly string[]} words
 * @param {NodeJS.ProcessEnv} [env]
 */
function run(command, words, env = {}) {
  const result = spawnSync(command, words, {
    cwd: cache,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.status !== 0) throw new Error(`${command} ${words.join(' ')}: status ${result.status}`);
  return result.stdout;
}
