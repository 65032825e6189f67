import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  client,
  ndJsonStream,
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
    .connect(ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)));
  const exited = once(child, 'exit');
  return {
    connection,
    updates,
    asked,
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

const allowOnce = (options: readonly { optionId: string; kind: string }[]): string | undefined =>
  options.find(({ kind }) => kind === 'allow_once')?.optionId;

async function open({ connection }: Driven, cwd: string): Promise<string> {
  const initialized = await connection.agent.request('initialize', {
    protocolVersion: 1,
    clientCapabilities: {},
    clientInfo: { name: 'official', version: '2.4.0' },
  });
  expect(initialized).toMatchObject({ protocolVersion: 1, agentInfo: { name: 'parley' } });
  const { sessionId } = await connection.agent.request('session/new', { cwd, mcpServers: [] });
  return sessionId;
}

function prompt({ connection }: Driven, sessionId: string, text: string): Promise<{ stopReason: string }> {
  return connection.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
}

test('a full turn: search, write with a permission, change, run, and the end of the input', async () => {
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

test('a rejected permission changes nothing, and the turn goes on', async () => {
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

test('a cancel while a permission is open ends the turn although the question is answered late', async () => {
  await using folder = await temporaryFolder();
  await using driven = drive(folder.path, () => undefined);
  const sessionId = await open(driven, folder.path);
  expect(await prompt(driven, sessionId, 'write notes.txt: hello')).toMatchObject({ stopReason: 'end_turn' });
  expect(driven.asked).toHaveLength(1);
  await expect(readFile(path.join(folder.path, 'notes.txt'))).rejects.toThrow('ENOENT');
});
