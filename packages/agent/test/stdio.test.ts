import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect, WireError, type Connection, type Diagnostic } from '@parley/wire';
import { streamTransport } from '@parley/wire/node';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRunning } from './is-running.ts';
import { anyText } from './matchers.ts';
import { isPosix } from './posix.ts';

const packageRoot = fileURLToPath(new URL('..', import.meta.url));
const script = `
  import { serveStdio } from '@parley/agent/node';
  process.exit(await serveStdio(process.argv[2] === 'agentao' ? { dialect: 'agentao' } : {}));
`;

/** Where the program is, in one file: reading the sources anew would be most of what each process does. */
let built = '';

beforeAll(async () => {
  const cache = join(packageRoot, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  built = await mkdtemp(join(cache, 'stdio-'));
  await build({
    stdin: { contents: script, resolveDir: packageRoot },
    outfile: join(built, 'agent.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    conditions: ['@parley/source'],
    external: ['@ai-sdk/*', '@modelcontextprotocol/*', '@vscode/*', 'diff'],
    logLevel: 'error',
  });
});

afterAll(() => rm(built, { recursive: true, force: true }));

function toSessionId(result: unknown): string {
  expect(result).toMatchObject({ sessionId: anyText });
  return typeof result === 'object' && result !== null && 'sessionId' in result
    ? String(result.sessionId)
    : '';
}

/** The agent in a process of its own, and a bare connection to it. */
interface Served extends AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly connection: Connection;
  readonly directory: string;
  /** The params of all notifications, as JSON. */
  readonly heard: readonly string[];
  /** What came on standard output and was no message. */
  readonly noise: readonly Diagnostic[];
  initialize(): Promise<unknown>;
  openSession(): Promise<string>;
  prompt(sessionId: string, text: string): Promise<unknown>;
  /** Settles when an update with this text in it comes. */
  seen(text: string): Promise<void>;
  exit(): Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

async function serve(...args: readonly string[]): Promise<Served> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'parley-agent-')));
  const env = { ...process.env, PARLEY_HOME: join(directory, '.parley') };
  const child = spawn(process.execPath, [join(built, 'agent.mjs'), ...args], { cwd: packageRoot, env });
  const exited = once(child, 'exit');
  const noise: Diagnostic[] = [];
  const heard: string[] = [];
  const waiting = new Map<string, () => void>();
  const connection = connect(streamTransport({ input: child.stdout, output: child.stdin }), {
    answerFaults: false,
    onDiagnostic: (diagnostic) => noise.push(diagnostic),
    onNotification: (_method, params) => {
      const text = JSON.stringify(params);
      heard.push(text);
      for (const [wanted, settle] of waiting) if (text.includes(wanted)) settle();
    },
    onRequest: () => ({ outcome: { outcome: 'selected', optionId: 'allow_once' } }),
  });
  return {
    child,
    connection,
    directory,
    heard,
    noise,
    initialize: () => connection.request('initialize', { protocolVersion: 1 }),
    openSession: () =>
      connection.request('session/new', { cwd: directory, mcpServers: [] }, { read: toSessionId }),
    prompt: (sessionId, text) =>
      connection.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    seen: (text) =>
      new Promise((resolve) => {
        if (heard.some((each) => each.includes(text))) resolve();
        waiting.set(text, resolve);
      }),
    exit: async () => {
      await exited;
      return { code: child.exitCode, signal: child.signalCode };
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await exited;
      await connection.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

test('a turn over standard input and output, and status 0 at the end of input', async () => {
  await using served = await serve();
  await served.initialize();
  const sessionId = await served.openSession();
  expect(await served.prompt(sessionId, 'run echo hi')).toEqual({ stopReason: 'end_turn' });
  served.child.stdin.end();
  expect(await served.exit()).toEqual({ code: 0, signal: null });
  expect(served.noise).toEqual([]);
});

test.runIf(isPosix).each(['end of input', 'SIGTERM'])(
  'at %s a running prompt is answered and no command is left',
  async (ending) => {
    await using served = await serve();
    await served.initialize();
    const sessionId = await served.openSession();
    const answer = served.prompt(sessionId, 'run echo $$ > pid; echo "rea"dy; sleep 600; sleep 600');
    await served.seen('ready');
    if (ending === 'SIGTERM') served.child.kill('SIGTERM');
    else served.child.stdin.end();
    expect(await answer).toEqual({ stopReason: 'cancelled' });
    expect(await served.exit()).toEqual({ code: 0, signal: null });
    expect(isRunning(Number(await readFile(join(served.directory, 'pid'), 'utf8')))).toBe(false);
  },
);

test.runIf(isPosix).each(['end of input', 'SIGTERM'])(
  'at %s no command is left in the background',
  async (ending) => {
    await using served = await serve();
    await served.initialize();
    const command = 'echo $$ > pid; trap "" TERM; touch up; sleep 600; sleep 600';
    await served.prompt(
      await served.openSession(),
      `call run ${JSON.stringify({ command, background: true })}\nrun until test -e up; do sleep 0.02; done`,
    );
    const pid = Number(await readFile(join(served.directory, 'pid'), 'utf8'));
    expect(isRunning(pid)).toBe(true);
    if (ending === 'SIGTERM') served.child.kill('SIGTERM');
    else served.child.stdin.end();
    expect(await served.exit()).toEqual({ code: 0, signal: null });
    expect(isRunning(pid)).toBe(false);
  },
);

test('a session that is not open is unknown, by its id', async () => {
  await using served = await serve();
  await served.initialize();
  const sessionId = await served.openSession();
  await served.connection.request('session/close', { sessionId });
  await expect(served.prompt(sessionId, 'say: hi')).rejects.toMatchObject({
    code: -32002,
    data: { sessionId },
  });
});

test.runIf(isPosix)('SIGTERM without a turn ends with status 0', async () => {
  await using served = await serve();
  await served.initialize();
  served.child.kill('SIGTERM');
  expect(await served.exit()).toEqual({ code: 0, signal: null });
});

test.runIf(isPosix).each(['end of input', 'SIGTERM'])(
  'at %s the agent ends, though the client reads nothing',
  async (ending) => {
    await using served = await serve();
    await served.initialize();
    const sessionId = await served.openSession();
    const answer = served.prompt(sessionId, `repeat 1000000: say: ${'x'.repeat(300)}`);
    // Not the title of the session, which comes before: the turn floods already.
    await served.seen('agent_message_chunk');
    served.child.stdout.pause();
    if (ending === 'SIGTERM') served.child.kill('SIGTERM');
    else served.child.stdin.end();
    expect(await served.exit()).toEqual({ code: 0, signal: null });
    served.child.stdout.resume();
    // Its answer is sent if there is room for it in the pipe.
    const outcome: unknown = await answer.catch((error: unknown) => error);
    expect([{ stopReason: 'cancelled' }, { code: 'closed' }]).toContainEqual(
      outcome instanceof WireError ? { code: outcome.code } : outcome,
    );
  },
);

test.runIf(isPosix)('SIGINT ends the agent in the same order, with status 1', async () => {
  await using served = await serve();
  await served.initialize();
  served.child.kill('SIGINT');
  expect(await served.exit()).toEqual({ code: 1, signal: null });
});

test.runIf(isPosix)('a client that goes away leaves no command behind', async () => {
  await using served = await serve();
  await served.initialize();
  const sessionId = await served.openSession();
  const answer = served.prompt(
    sessionId,
    'run echo $$ > pid; echo "rea"dy; trap "" TERM; sleep 600; sleep 600',
  );
  await served.seen('ready');
  served.child.stdin.destroy();
  served.child.stdout.destroy();
  await expect(answer).rejects.toMatchObject({ code: 'closed' });
  await served.exit();
  expect(isRunning(Number(await readFile(join(served.directory, 'pid'), 'utf8')))).toBe(false);
});

test('a new file has the old text null on the wire', async () => {
  await using served = await serve();
  await served.initialize();
  const sessionId = await served.openSession();
  await served.prompt(sessionId, 'write a.txt: x');
  expect(served.heard.join('\n')).toContain('"oldText":null,"newText":"x"');
});

test('a cancel stops a long repeat', async () => {
  await using served = await serve();
  await served.initialize();
  const sessionId = await served.openSession();
  const answer = served.prompt(sessionId, `repeat 1000000: say: ${'x'.repeat(300)}`);
  await served.seen('xxx');
  await served.connection.notify('session/cancel', { sessionId });
  expect(await answer).toEqual({ stopReason: 'cancelled' });
});

test('a cancel that is sent as a request is answered with an empty object', async () => {
  await using served = await serve();
  await served.initialize();
  const sessionId = await served.openSession();
  const answer = served.prompt(sessionId, 'say: hi\nsleep 600');
  await served.seen('"hi"');
  expect(await served.connection.request('session/cancel', { sessionId })).toEqual({});
  expect(await answer).toEqual({ stopReason: 'cancelled' });
});

test.each([
  ['the protocol', [], -32600],
  ['agentao', ['agentao'], -32002],
])('before initialize a request is refused with the code of %s', async (_name, args, code) => {
  await using served = await serve(...args);
  await expect(served.openSession()).rejects.toMatchObject({ code });
  await served.initialize();
  await served.openSession();
});
