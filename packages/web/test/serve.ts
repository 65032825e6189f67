import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** A `parley serve` in a home of its own, with our own agent and the one that acts for the tests. */
export interface TestServer extends AsyncDisposable {
  /** The sign-in link that was printed. */
  readonly address: string;
  readonly origin: string;
  readonly token: string;
  /** A token that may only look, where one was wanted. */
  readonly lookToken: string;
  /** A token of scope `use`, where one was wanted. */
  readonly useToken: string;
  /** The folder that sessions may use. */
  readonly workspace: string;
  /** What it has written to standard error. */
  readonly log: string;
  /** The environment in which commands find it. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends it, and starts it again on the same port with the same home. */
  restart(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Ends it as a machine that dies. */
  kill(): Promise<void>;
}

/** How a server is started. */
export interface TestServerOptions {
  readonly flags?: readonly string[];
  /** Whether to create a token with the scope `observe`. */
  readonly hasLookToken?: true;
  /** The name of a token of scope `use`. @default none */
  readonly useToken?: string;
  /** The folder of the sessions, which servers may share; created, and removed at the end. @default a new one */
  readonly workspace?: string;
  /** Command lines of further agents, by name. @default none */
  readonly agents?: Readonly<Record<string, readonly [command: string, ...args: string[]]>>;
  /** Sandboxes of agents, by name, as the configuration has them. @default none */
  readonly sandboxes?: Readonly<Record<string, object>>;
  /** Variables of the server, made for its home. @default those of this process, without keys */
  readonly variables?: (home: string) => Readonly<Record<string, string>>;
}

/** The bundled command, a file for `node`. */
export const command = process.env['PARLEY_TEST_BIN'] ?? '';
const token = 'parley_of_the_tests';
/** The agent that acts for the tests, as it was bundled with its SDK. */
export const stage: string = path.join(process.env['PARLEY_TEST_PROGRAMS'] ?? '', 'web/test/agents/stage.js');

function toAgents({ agents = {}, sandboxes = {} }: TestServerOptions): object {
  const agentEntries = Object.entries(agents).map(([name, [program, ...args]]): [string, object] => [
    name,
    { command: program, args },
  ]);
  const sandboxEntries = Object.entries(sandboxes).map(([name, sandbox]): [string, object] => [
    name,
    { sandbox },
  ]);
  const entries: Readonly<Record<string, object>> = Object.fromEntries([...agentEntries, ...sandboxEntries]);
  return entries;
}

/** Starts `parley serve`. It is ended, and all it left is removed, when the test disposes of it. */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const home = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-web-')));
  const { workspace = path.join(home, 'work') } = options;
  await mkdir(workspace, { recursive: true });
  await writeFile(
    path.join(home, 'config.json'),
    JSON.stringify({
      agents: { stage: { command: process.execPath, args: [stage] }, ...toAgents(options) },
    }),
  );
  const lookToken = options.hasLookToken === true ? await addToken(home, 'eve', 'observe') : '';
  const useToken = options.useToken === undefined ? '' : await addToken(home, options.useToken, 'use');
  await writeFile(path.join(home, 'token'), token, { mode: 0o600 });
  const start = {
    home,
    workspace,
    variables: options.variables?.(home) ?? {},
    ...(options.flags !== undefined && { flags: options.flags }),
  };
  let running = await startProcess(start, '0');
  return {
    get address() {
      return running.address;
    },
    get origin() {
      return new URL(running.address).origin;
    },
    token,
    workspace,
    get log() {
      return running.log();
    },
    lookToken,
    useToken,
    env: cleanEnv(home),
    restart: async (signal) => {
      const { port } = new URL(running.address);
      await running.end(signal);
      running = await startProcess(start, port);
    },
    kill: () => running.end('SIGKILL'),
    [Symbol.asyncDispose]: async () => {
      await running.end();
      await Promise.all(
        [workspace, home].map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })),
      );
    },
  };
}

async function addToken(home: string, name: string, scope: 'use' | 'observe'): Promise<string> {
  const words = [command, 'serve', 'tokens', 'add', name, '--scope', scope];
  const { stdout } = await promisify(execFile)(process.execPath, words, { env: cleanEnv(home) });
  return stdout.trim();
}

interface Start extends Pick<TestServerOptions, 'flags'> {
  readonly home: string;
  readonly workspace: string;
  readonly variables: Readonly<Record<string, string>>;
}

interface Running {
  readonly address: string;
  log(): string;
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

async function startProcess(
  { home, workspace, variables, flags = [] }: Start,
  port: string,
): Promise<Running> {
  const tokenFile = path.join(home, 'token');
  const child = spawn(
    process.execPath,
    [command, 'serve', '--port', port, '--workspace', workspace, '--token-file', tokenFile, ...flags],
    { cwd: workspace, env: { ...cleanEnv(home), ...variables }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const closed = once(child, 'close');
  const address = await new Promise<string>((resolve, reject) => {
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const [printed] = /^https?:\S+(?=\n)/mu.exec(stdout) ?? [];
      if (printed !== undefined) resolve(printed);
    });
    closed.then(
      () => {
        reject(new Error(`parley serve ended: ${stderr}`));
      },
      () => {},
    );
  });
  return {
    address,
    log: () => stderr,
    end: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await closed;
    },
  };
}

/** Neither the user's configuration nor a provider's key plays a part. */
function cleanEnv(home: string): Record<string, string> {
  const kept = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || /_API_KEY$|^LLM_PROVIDER$|^PARLEY_|^FORCE_COLOR$/u.test(name)
      ? []
      : [[name, value] as const],
  );
  return { ...Object.fromEntries(kept), PARLEY_HOME: home };
}
