import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  client,
  ndJsonStream,
  RequestError,
  type ClientCapabilities,
  type ClientConnection,
  type SessionNotification,
} from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { cleanEnv, commandFile, temporaryFolder } from './command.ts';

/** Our agent, with a client on it that is written on the official SDK. */
interface Driven extends AsyncDisposable {
  readonly connection: ClientConnection;
  readonly updates: SessionNotification['update'][];
  readonly asked: string[];
  /** What the editor has open, by path. */
  readonly buffers: Map<string, string>;
  /** What became of the terminals, in order. */
  readonly terminals: readonly string[];
  /** Ends the input of the agent and gives its exit status. */
  end(): Promise<number | null>;
}

function drive(
  cwd: string,
  answer: (options: readonly { optionId: string; kind: string }[]) => string | undefined,
): Driven {
  const child = spawn(process.execPath, [commandFile, 'agent'], {
    cwd,
    env: cleanEnv(path.join(cwd, '.home')),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const updates: SessionNotification['update'][] = [];
  const asked: string[] = [];
  const buffers = new Map<string, string>();
  const terminals: string[] = [];
  const running = new Map<
    string,
    { readonly child: ChildProcess; readonly exited: Promise<unknown>; output: string }
  >();
  const find = (id: string) => {
    const terminal = running.get(id);
    if (terminal === undefined) throw RequestError.resourceNotFound(id);
    return terminal;
  };
  const connection = client({ name: 'official' })
    .onNotification('session/update', ({ params }) => {
      updates.push(params.update);
    })
    .onRequest('session/request_permission', ({ params }) => {
      asked.push(params.toolCall.toolCallId);
      const optionId = answer(params.options);
      return {
        outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId },
      };
    })
    .onRequest('fs/read_text_file', async ({ params }) => ({
      content: buffers.get(params.path) ?? (await readSaved(params.path)),
    }))
    .onRequest('fs/write_text_file', async ({ params }) => {
      buffers.set(params.path, params.content);
      await writeFile(params.path, params.content);
      return {};
    })
    .onRequest('terminal/create', ({ params }) => {
      const terminalId = `terminal-${String(running.size + 1)}`;
      const command = spawn(params.command, params.args ?? [], { cwd: params.cwd ?? cwd });
      const terminal = { child: command, exited: once(command, 'close'), output: '' };
      command.stdout.on('data', (bytes: Buffer) => {
        terminal.output += bytes.toString();
      });
      running.set(terminalId, terminal);
      terminals.push('create');
      return { terminalId };
    })
    .onRequest('terminal/output', ({ params }) => ({
      output: find(params.terminalId).output,
      truncated: false,
    }))
    .onRequest('terminal/wait_for_exit', async ({ params }) => {
      const { child: command, exited } = find(params.terminalId);
      await exited;
      return { exitCode: command.exitCode, signal: command.signalCode };
    })
    .onRequest('terminal/kill', ({ params }) => {
      terminals.push('kill');
      find(params.terminalId).child.kill('SIGKILL');
      return {};
    })
    .onRequest('terminal/release', ({ params }) => {
      terminals.push('release');
      find(params.terminalId).child.kill('SIGKILL');
      return {};
    })
    .connect(ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)));
  const exited = once(child, 'exit');
  return {
    connection,
    updates,
    asked,
    buffers,
    terminals,
    async end() {
      child.stdin.end();
      await exited;
      return child.exitCode;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function readSaved(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw RequestError.resourceNotFound(file);
  }
}

const allowOnce = (options: readonly { optionId: string; kind: string }[]): string | undefined =>
  options.find(({ kind }) => kind === 'allow_once')?.optionId;

async function open(
  { connection }: Driven,
  cwd: string,
  clientCapabilities: ClientCapabilities = {},
): Promise<string> {
  const initialized = await connection.agent.request('initialize', {
    protocolVersion: 1,
    clientCapabilities,
    clientInfo: { name: 'official', version: '2.4.0' },
  });
  expect(initialized).toMatchObject({ protocolVersion: 1, agentInfo: { name: 'parley' } });
  const { sessionId } = await connection.agent.request('session/new', { cwd, mcpServers: [] });
  return sessionId;
}

function prompt({ connection }: Driven, sessionId: string, text: string): Promise<{ stopReason: string }> {
  return connection.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
}

test('a full turn searches, writes with a permission, edits, runs a command and ends', async () => {
  await using folder = await temporaryFolder();
  await mkdir(path.join(folder.path, 'src'));
  await writeFile(path.join(folder.path, 'src', 'a.ts'), '// needle\n');
  await using driven = drive(folder.path, allowOnce);
  const sessionId = await open(driven, folder.path);

  const text = [
    'search needle',
    'write notes.txt: hello',
    'replace hello with good day in notes.txt',
    'run node --version',
    'say: finished',
  ].join('\n');
  expect(await prompt(driven, sessionId, text)).toMatchObject({ stopReason: 'end_turn' });

  expect(await readFile(path.join(folder.path, 'notes.txt'), 'utf8')).toMatch(/^good day\n?$/);
  const calls = driven.updates.filter(({ sessionUpdate }) => sessionUpdate === 'tool_call');
  expect(calls.map((call) => 'kind' in call && call.kind)).toEqual(['search', 'edit', 'edit', 'execute']);
  expect(driven.asked).toEqual(calls.slice(1).map((call) => 'toolCallId' in call && call.toolCallId));
  const written = JSON.stringify(driven.updates);
  expect(written).toContain('needle');
  expect(written).toContain('"newText":"good day');
  expect(written).toContain(process.version);
  expect(await driven.end()).toBe(0);
});

test('a rejected permission changes nothing, and the turn continues', async () => {
  await using folder = await temporaryFolder();
  await using driven = drive(
    folder.path,
    (options) => options.find(({ kind }) => kind === 'reject_once')?.optionId,
  );
  const sessionId = await open(driven, folder.path);
  expect(await prompt(driven, sessionId, 'write notes.txt: hello\nsay: after all')).toMatchObject({
    stopReason: 'end_turn',
  });
  await expect(readFile(path.join(folder.path, 'notes.txt'))).rejects.toThrow('ENOENT');
  expect(driven.updates).toContainEqual(
    expect.objectContaining({ sessionUpdate: 'tool_call_update', status: 'failed' }),
  );
  expect(JSON.stringify(driven.updates)).toContain('after all');
});

test('a cancel ends the turn with `cancelled`, and the session takes the next prompt', async () => {
  await using folder = await temporaryFolder();
  await using driven = drive(folder.path, allowOnce);
  const sessionId = await open(driven, folder.path);
  const turn = prompt(driven, sessionId, 'say: begun\nsleep 60');
  await expect.poll(() => JSON.stringify(driven.updates)).toContain('begun');
  await driven.connection.agent.notify('session/cancel', { sessionId });
  expect(await turn).toMatchObject({ stopReason: 'cancelled' });
  expect(await prompt(driven, sessionId, 'say: again')).toMatchObject({ stopReason: 'end_turn' });
});

test('a permission request that is answered `cancelled` ends its turn', async () => {
  await using folder = await temporaryFolder();
  await using driven = drive(folder.path, () => undefined);
  const sessionId = await open(driven, folder.path);
  expect(await prompt(driven, sessionId, 'write notes.txt: hello')).toMatchObject({
    stopReason: 'cancelled',
  });
  expect(driven.asked).toHaveLength(1);
  await expect(readFile(path.join(folder.path, 'notes.txt'))).rejects.toThrow('ENOENT');
});

const editor: ClientCapabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };

test('in an editor, unsaved text is read and changed, and commands run in its terminals', async () => {
  await using folder = await temporaryFolder();
  const cwd = await realpath(folder.path);
  const file = path.join(cwd, 'a.txt');
  await writeFile(file, 'saved\n');
  await using driven = drive(cwd, allowOnce);
  driven.buffers.set(file, 'typed\n');
  const sessionId = await open(driven, cwd, editor);
  const text =
    'read a.txt\nreplace typed with changed in a.txt\nwrite new.txt: hello\nrun cat a.txt && exit 3';
  expect(await prompt(driven, sessionId, text)).toMatchObject({ stopReason: 'end_turn' });
  expect(await readFile(file, 'utf8')).toBe('changed\n');
  expect(await readFile(path.join(cwd, 'new.txt'), 'utf8')).toBe('hello');
  const ends = driven.updates.flatMap((update) =>
    update.sessionUpdate === 'tool_call_update' && update.rawOutput !== undefined ? [update] : [],
  );
  expect(ends.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'failed']);
  expect(JSON.stringify(ends[0])).toContain('typed');
  expect(ends[1]?.content).toEqual([{ type: 'diff', path: file, oldText: 'typed\n', newText: 'changed\n' }]);
  expect(ends[3]).toMatchObject({
    content: [{ type: 'terminal', terminalId: 'terminal-1' }, { type: 'content' }],
    rawOutput: { exitCode: 3 },
  });
  expect(driven.terminals).toEqual(['create', 'release']);
});

test('in an editor, a cancel kills the command in the terminal and releases the terminal', async () => {
  await using folder = await temporaryFolder();
  await using driven = drive(folder.path, allowOnce);
  const sessionId = await open(driven, folder.path, editor);
  const turn = prompt(driven, sessionId, 'run exec sleep 600');
  await expect.poll(() => JSON.stringify(driven.updates)).toContain('terminal-1');
  await driven.connection.agent.notify('session/cancel', { sessionId });
  expect(await turn).toMatchObject({ stopReason: 'cancelled' });
  expect(driven.terminals).toEqual(['create', 'kill', 'release']);
});
