import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { matchesHost, openNetworkProxy } from '@parley/workspace';
import type { SandboxPlan } from '@parley/workspace/sandbox';
import { type EscapeTarget, secret } from './escape-target.ts';

/** Folders, services and a process that an agent must not reach. */
export interface EscapeScene extends AsyncDisposable {
  readonly target: EscapeTarget;
  readonly plan: SandboxPlan;
  /** Variables of the agent, and of the process that opens the sandbox. */
  readonly env: Readonly<Record<string, string>>;
  /** The names that the proxy of the plan looked up. */
  readonly lookedUp: ReadonlySet<string>;
}

/** The addresses of listed names. */
const addresses: ReadonlyMap<string, string> = new Map([
  ['private.example', '127.0.0.1'],
  ['mapped.example', '::ffff:127.0.0.1'],
  ['metadata.example', '169.254.169.254'],
]);

/**
 * Services that an agent must not reach, in the process that it must not reach either. It is killed, so that its sockets stay in the
 * folder: other sandboxes, of tests that run at the same time, have mounts on them.
 */
const serviceProgram = `
const net = require('node:net');
const http = require('node:http');
const accept = (socket) => socket.on('error', () => socket.destroy()).end();
const listen = (where) => new Promise((resolve) => { const server = net.createServer(accept); server.listen(where, () => resolve(server)); });
const serve = (answer) => new Promise((resolve) => { const server = http.createServer(answer); server.listen(0, '127.0.0.1', () => resolve(server.address().port)); });
const answerDns = (query) => {
  const end = query.indexOf(0, 12) + 5;
  const head = Buffer.from([0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
  return Buffer.concat([query.subarray(0, 2), head, query.subarray(12, end), Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1])]);
};
(async () => {
  for (const path of process.argv.slice(1)) await listen({ path: path.replace('@', '\\0') });
  const tcp = await listen({ port: 0, host: '0.0.0.0' });
  const otherPort = await serve((_, response) => response.end('other'));
  const listedPort = await serve((request, response) => {
    if (request.url !== '/redirect') return response.end('listed');
    response.writeHead(302, { location: 'http://127.0.0.1:' + otherPort + '/' }).end();
  });
  const bind = (answer) => new Promise((resolve) => {
    const udp = require('node:dgram').createSocket('udp4').on('message', (message, { port }) => udp.send(answer(message), port, '127.0.0.1'));
    udp.bind(0, '127.0.0.1', () => resolve(udp.address().port));
  });
  const ports = { tcpPort: tcp.address().port, udpPort: await bind(() => 'pong'), dnsPort: await bind(answerDns), otherPort, listedPort };
  console.log(JSON.stringify(ports));
})();
`;

/** Makes a scene in a folder, which must be visible in a sandbox. The end of all tests removes it. */
export async function createEscapeScene(base: string, program: string): Promise<EscapeScene> {
  const root = await mkdtemp(path.join(base, 'e-'));
  const at = (...names: readonly string[]): string => path.join(root, ...names);
  await writeFiles(root);
  createRepositories(at('workspace'));
  const temporaryFolder = await mkdtemp(path.join(os.tmpdir(), 'parley-escape-'));
  const temporaryFile = path.join(temporaryFolder, 'secret.txt');
  await writeFile(temporaryFile, secret);
  const abstractSocket = `parley-escape-${path.basename(root)}`;
  const toolSocket = at('state', 'tools.sock');
  const services = ['outside/service.sock', 'workspace/service.sock', 'home/agent.sock', 'home/bus'];
  const paths = [...services.map((name) => at(name)), toolSocket];
  const victim = spawn(process.execPath, ['-e', serviceProgram, ...paths, `@${abstractSocket}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, WORD: secret },
  });
  const [ports] = await once(victim.stdout.setEncoding('utf8'), 'data');
  const open: Pick<EscapeTarget, 'tcpPort' | 'udpPort' | 'dnsPort' | 'otherPort' | 'listedPort'> = JSON.parse(
    String(ports),
  );
  const hosts = [
    `127.0.0.1:${String(open.listedPort)}`,
    ...['private.example', 'mapped.example'].map((name) => `${name}:${String(open.otherPort)}`),
    'metadata.example',
  ];
  const lookedUp = new Set<string>();
  const proxy = await openNetworkProxy({
    allow: ({ target: { host, port } }) =>
      hosts.some((each) => matchesHost(each, `${host}:${String(port)}`, 'usual-ports') === true)
        ? { isAllowed: true }
        : { isAllowed: false, reason: 'it is not listed' },
    lookUp: async (name) => {
      lookedUp.add(name);
      const address = addresses.get(name);
      if (address === undefined) throw new Error(`no address of ${name}`);
      return [{ address, family: isIP(address) }];
    },
  });
  const sharedMemory = 0x5a000000 + (victim.pid ?? 0);
  const segment = perl(`print shmget(${String(sharedMemory)}, 100, 01600)`);
  const workspace = at('workspace');
  return {
    target: {
      workspace,
      outside: at('outside'),
      home: at('home'),
      state: at('state'),
      temporaryFile,
      ...open,
      abstractSocket,
      process: victim.pid ?? 0,
      sharedMemory,
    },
    plan: {
      mode: 'workspace',
      folders: [workspace],
      stateDirs: [],
      write: [],
      read: 'all',
      program: [program],
      hide: ['hidden.txt', 'private', 'deep/private'].map((name) => at('workspace', name)),
      ownState: [at('state')],
      network: { hosts, socket: proxy.socketPath },
      toolSocket,
    },
    env: {
      HOME: at('home'),
      SSH_AUTH_SOCK: at('home', 'agent.sock'),
      DOCKER_HOST: `unix://${at('outside', 'service.sock')}`,
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${at('home', 'bus')}`,
    },
    lookedUp,
    async [Symbol.asyncDispose]() {
      await proxy.close();
      perl(`shmctl(${segment}, 0, 0)`);
      victim.kill('SIGKILL');
      await rm(temporaryFolder, { recursive: true, force: true });
    },
  };
}

async function writeFiles(root: string): Promise<void> {
  const files = {
    'workspace/vendor/lib/a.txt': 'a',
    'workspace/hidden.txt': secret,
    'workspace/private/key': secret,
    'workspace/deep/private/key': secret,
    'workspace/settings.inc': '',
    'workspace/branch.inc': '',
    'workspace/.profile': '',
    'workspace/plain.txt': 'text',
    'workspace/renamable.txt': '',
    'workspace/removable.txt': '',
    'workspace/vendor/lib/tools/hooks/README': '',
    'outside/secret.txt': secret,
    'outside/linked.txt': '',
    'outside/removable.txt': '',
    'outside/truncatable.txt': 'text',
    'home/.bashrc': '',
    'home/bin/README': '',
    'home/.ssh/id_ed25519': secret,
    'home/.gnupg/key': secret,
    'home/.aws/credentials': secret,
    'home/.netrc': secret,
    'state/token': secret,
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.join(root, path.dirname(name)), { recursive: true });
    await writeFile(path.join(root, name), content);
  }
  await mkdir(path.join(root, 'workspace', 'empty'));
}

function createRepositories(workspace: string): void {
  const git = (folder: string, ...args: readonly string[]): void => {
    execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' });
  };
  git(workspace, 'init', '--quiet');
  git(workspace, 'config', 'include.path', '../settings.inc');
  // A file without settings is not listed by git.
  execFileSync('git', ['config', '--file', path.join(workspace, 'settings.inc'), 'user.name', 'A']);
  git(workspace, 'config', '--add', 'include.path', '../missing.inc');
  git(workspace, 'config', 'includeIf.onbranch:other.path', '../branch.inc');
  git(workspace, 'init', '--quiet', '--bare', '.git/modules/a/b');
  git(workspace, 'init', '--quiet', '--bare', 'bare');
  const library = path.join(workspace, 'vendor', 'lib');
  git(library, 'init', '--quiet');
  git(library, 'config', 'core.hooksPath', 'tools/hooks');
}

function perl(code: string): string {
  return execFileSync('perl', ['-e', code], { encoding: 'utf8' });
}
