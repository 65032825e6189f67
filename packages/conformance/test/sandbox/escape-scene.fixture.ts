import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { SandboxPlan } from '@parley/workspace/sandbox';
import { type EscapeTarget, secret } from './escape-target.ts';

/** Folders, services and a process that an agent must not reach. */
export interface EscapeScene extends AsyncDisposable {
  readonly target: EscapeTarget;
  readonly plan: SandboxPlan;
  /** Variables of the agent, and of the process that opens the sandbox. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Services that an agent must not reach, in the process that it must not reach either. It is killed, so that its sockets stay in the
 * folder: other sandboxes, of tests that run at the same time, have mounts on them.
 */
const serviceProgram = `
const net = require('node:net');
const accept = (socket) => socket.on('error', () => socket.destroy()).end();
const listen = (where) => new Promise((resolve) => { const server = net.createServer(accept); server.listen(where, () => resolve(server)); });
(async () => {
  for (const path of process.argv.slice(1)) await listen({ path: path.replace('@', '\\0') });
  const tcp = await listen({ port: 0, host: '0.0.0.0' });
  const udp = require('node:dgram').createSocket('udp4').on('message', (_, { port }) => udp.send('pong', port, '127.0.0.1'));
  udp.bind(0, '127.0.0.1', () => console.log(JSON.stringify({ tcpPort: tcp.address().port, udpPort: udp.address().port })));
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
  const services = ['outside/service.sock', 'workspace/service.sock', 'home/agent.sock'];
  const paths = [...services.map((name) => at(name)), toolSocket];
  const victim = spawn(process.execPath, ['-e', serviceProgram, ...paths, `@${abstractSocket}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, WORD: secret },
  });
  const [ports] = await once(victim.stdout.setEncoding('utf8'), 'data');
  const { tcpPort, udpPort }: { tcpPort: number; udpPort: number } = JSON.parse(String(ports));
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
      tcpPort,
      udpPort,
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
      network: 'off',
      toolSocket,
    },
    env: {
      HOME: at('home'),
      SSH_AUTH_SOCK: at('home', 'agent.sock'),
      DOCKER_HOST: `unix://${at('outside', 'service.sock')}`,
    },
    async [Symbol.asyncDispose]() {
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
