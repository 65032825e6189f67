import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  client,
  ndJsonStream,
  type AnyMessage,
  type ClientConnection,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type Stream,
} from '@agentclientprotocol/sdk';
import { hubMethods } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { cleanEnv, commandFile, parley, temporaryFolder } from './command.ts';
import { joinHub, linesOf, startAttach, startTestHub, type HubFile } from './hub.ts';

const soon = { timeout: 120_000 };

/** A client that is written on the official SDK. */
interface Official extends AsyncDisposable {
  readonly connection: ClientConnection;
  readonly updates: SessionNotification['update'][];
  readonly asked: RequestPermissionRequest[];
  /** How many of its permission requests were cancelled. */
  readonly cancelled: () => number;
  readonly said: () => readonly string[];
}

type Answer = (request: RequestPermissionRequest) => Promise<RequestPermissionResponse>;

/** Never answers. */
const undecided: Answer = () => new Promise(() => {});

const allow: Answer = ({ options }) =>
  Promise.resolve({
    outcome: {
      outcome: 'selected',
      optionId: options.find(({ kind }) => kind === 'allow_once')?.optionId ?? '',
    },
  });

async function introduce(
  stream: Stream,
  {
    name,
    answer,
    end,
  }: { readonly name: string; readonly answer: Answer; readonly end: () => Promise<void> },
): Promise<Official> {
  const updates: SessionNotification['update'][] = [];
  const asked: RequestPermissionRequest[] = [];
  let cancelled = 0;
  const connection = client({ name })
    .onNotification('session/update', ({ params }) => {
      updates.push(params.update);
    })
    .onRequest('session/request_permission', ({ params, signal }) => {
      asked.push(params);
      signal.addEventListener('abort', () => {
        cancelled += 1;
      });
      return answer(params);
    })
    .connect(stream);
  await connection.agent.request('initialize', {
    protocolVersion: 1,
    clientInfo: { name, version: '1' },
    clientCapabilities: {},
  });
  return {
    connection,
    updates,
    asked,
    cancelled: () => cancelled,
    said: () =>
      updates.flatMap((update) =>
        (update.sessionUpdate === 'agent_message_chunk' || update.sessionUpdate === 'user_message_chunk') &&
        update.content.type === 'text'
          ? [`${update.sessionUpdate.split('_')[0] ?? ''}: ${update.content.text}`]
          : [],
      ),
    [Symbol.asyncDispose]: end,
  };
}

/** An editor that is connected by a WebSocket. */
async function overWebSocket({ url, token }: HubFile, name: string, answer: Answer): Promise<Official> {
  const { WebSocket } = await import('ws');
  const socket = new WebSocket(`${url.replace(/^http/u, 'ws')}/acp`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  await once(socket, 'open');
  const readable = new ReadableStream<AnyMessage>({
    start: (controller) => {
      socket.on('message', (data: Buffer) => {
        controller.enqueue(JSON.parse(data.toString()) as AnyMessage);
      });
      socket.on('close', () => {
        controller.close();
      });
    },
  });
  const writable = new WritableStream<AnyMessage>({
    write: (message) => {
      socket.send(JSON.stringify(message));
    },
  });
  const end = async (): Promise<void> => {
    const closed = once(socket, 'close');
    socket.close();
    await closed;
  };
  return introduce({ readable, writable }, { name, answer, end });
}

/** An editor that starts `parley proxy`. */
async function throughProxy(cwd: string, name: string, answer: Answer): Promise<Official> {
  const child = spawn(process.execPath, [commandFile, 'proxy'], {
    cwd,
    env: cleanEnv(path.join(cwd, '.home')),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const end = async (): Promise<void> => {
    child.stdin.end();
    await exited;
  };
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
  return introduce(stream, { name, answer, end });
}

test('editors over a WebSocket and through the proxy, the page and a terminal share one session', async () => {
  await using folder = await temporaryFolder();
  await using hub = await startTestHub(folder.path);
  const cwd = folder.path;
  await using editor = await overWebSocket(hub.file, 'neovim', undecided);
  await using zed = await throughProxy(cwd, 'zed', allow);
  await using page = await joinHub(hub.file);

  const { sessionId } = await editor.connection.agent.request('session/new', { cwd, mcpServers: [] });
  const attached = startAttach(cwd, [sessionId]);
  await attached.line(({ type }) => type === 'session');
  const { sessions } = await zed.connection.agent.request('session/list', {});
  expect(sessions.map((session) => session.sessionId)).toEqual([sessionId]);
  await zed.connection.agent.request('session/load', { sessionId, cwd, mcpServers: [] });

  // The first of all clients that answers decides.
  const prompted = editor.connection.agent.request('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text: 'write a.txt: from the editor\nsay: done' }],
  });
  expect(await prompted).toMatchObject({ stopReason: 'end_turn' });
  expect(await readFile(path.join(cwd, 'a.txt'), 'utf8')).toMatch(/^from the editor\n?$/u);
  expect(editor.asked).toHaveLength(1);
  expect(zed.asked).toHaveLength(1);
  await expect.poll(editor.cancelled, soon).toBe(1);
  const permission = await attached.line(({ type }) => type === 'permission');
  expect(permission).toMatchObject({ by: 'person', client: { name: 'zed' }, token: 'hub' });
  expect(editor.said().some((text) => text.startsWith('user:'))).toBe(false);
  await expect.poll(zed.said, soon).toContain('agent: done');
  expect(zed.said()[0]).toMatch(/^user: write a\.txt/u);

  // A turn of the page reaches both editors.
  await page.connection.request('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text: 'say: all' }],
  });
  for (const each of [editor, zed]) {
    await expect.poll(() => each.said().slice(-2), soon).toEqual(['user: say: all', 'agent: all']);
  }
  await zed.connection.agent.request('session/close', { sessionId });
  const { status } = await attached.finished;
  expect(status).toBe(0);
});

test('proxy without an address and without a hub ends with status 1, and says how to start one', async () => {
  await using folder = await temporaryFolder();

  const { status, stderr } = await parley(['proxy'], { cwd: folder.path });

  expect(status).toBe(1);
  expect(stderr).toContain('parley serve');
});

test('a session of an editor is attached to from the command line', async () => {
  await using folder = await temporaryFolder();
  await using hub = await startTestHub(folder.path);
  const cwd = folder.path;
  await using zed = await throughProxy(cwd, 'zed', allow);
  const { sessionId } = await zed.connection.agent.request('session/new', { cwd, mcpServers: [] });
  await zed.connection.agent.request('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text: 'say: hello' }],
  });

  const attached = await parley(['attach', sessionId, '--prompt', 'say: again', '--format', 'json'], { cwd });

  expect(hub.file.url).toContain('http');
  expect(attached.status).toBe(0);
  expect(JSON.stringify(linesOf(attached))).toContain('again');
  await expect.poll(() => zed.said().slice(-2), soon).toEqual(['user: say: again', 'agent: again']);
});

test('what the command line does with the changes of a session is seen at once where it is open', async () => {
  await using folder = await temporaryFolder();
  await using hub = await startTestHub(folder.path);
  const cwd = folder.path;
  await using page = await joinHub(hub.file);
  await using zed = await throughProxy(cwd, 'zed', allow);
  const { sessionId } = await zed.connection.agent.request('session/new', { cwd, mcpServers: [] });
  await zed.connection.agent.request('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text: 'write a.txt: one' }],
  });
  await page.connection.request(hubMethods.watch, { sessionId });
  expect((await page.event('changes')).type).toBe('changes');

  const undone = await parley(['changes', 'undo'], { cwd });
  expect(undone).toMatchObject({ status: 0, stderr: '' });
  await expect(page.event('changes-undone')).resolves.toMatchObject({ turn: 1 });
  const redone = await parley(['changes', 'redo'], { cwd });
  expect(redone).toMatchObject({ status: 0, stderr: '' });
  await expect(page.event('changes-redone')).resolves.toMatchObject({ type: 'changes-redone' });
});
