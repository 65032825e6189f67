import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { client, ndJsonStream, type ClientConnection, type Stream } from '@agentclientprotocol/sdk';
import { createWebSocketStream } from '@agentclientprotocol/sdk/experimental/ws-client';
import { WebSocket } from 'ws';
import { command, type TestServer } from './serve.ts';

/** A permission request that an editor shows. */
export interface EditorRequest {
  readonly title: string;
  /** Aborted when it is cancelled. */
  readonly signal: AbortSignal;
  answer(optionId: string): void;
}

/** An editor on the official SDK, and what it has received. */
export interface OfficialEditor extends AsyncDisposable {
  readonly connection: ClientConnection;
  /** All messages in its session, each chunk as `role: text`. */
  readonly said: readonly string[];
  readonly requests: readonly EditorRequest[];
  /** Settles when this is so; looked at after each message. */
  until(isSo: (editor: OfficialEditor) => boolean): Promise<void>;
  readonly closed: Promise<unknown>;
}

/** Connects to `/acp` of a hub over a WebSocket. */
export async function openWebSocketEditor(
  { origin, token }: TestServer,
  name: string,
): Promise<OfficialEditor> {
  const socket = createWebSocketStream(`${origin.replace(/^http/u, 'ws')}/acp`, {
    WebSocket,
    headers: { authorization: `Bearer ${token}` },
  });
  return introduce(socket, name, () => {});
}

/** Starts `parley proxy`, which finds the hub of this machine, as an editor starts an agent. */
export async function openProxyEditor({ env, workspace }: TestServer, name: string): Promise<OfficialEditor> {
  const child = spawn(process.execPath, [command, 'proxy'], {
    cwd: workspace,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as never);
  return introduce(stream, name, () => {
    child.kill('SIGTERM');
  });
}

async function introduce(stream: Stream, name: string, end: () => void): Promise<OfficialEditor> {
  const said: string[] = [];
  const requests: EditorRequest[] = [];
  const looks = new Set<() => void>();
  const look = (): void => {
    for (const each of looks) each();
  };
  const connection = client({ name })
    .onNotification('session/update', ({ params: { update } }) => {
      const isSaid =
        update.sessionUpdate === 'agent_message_chunk' || update.sessionUpdate === 'user_message_chunk';
      if (!isSaid) return;
      const role = update.sessionUpdate === 'user_message_chunk' ? 'user' : 'agent';
      if (update.content.type === 'text') said.push(`${role}: ${update.content.text.trim()}`);
      look();
    })
    .onRequest('session/request_permission', async ({ params, signal }) => {
      const optionId = await new Promise<string>((answer) => {
        requests.push({ title: params.toolCall.title ?? '', signal, answer });
        signal.addEventListener('abort', look);
        look();
      });
      return { outcome: { outcome: 'selected', optionId } };
    })
    .connect(stream);
  await connection.agent.request('initialize', {
    protocolVersion: 1,
    clientInfo: { name, version: '1' },
    clientCapabilities: {},
  });
  const editor: OfficialEditor = {
    connection,
    said,
    requests,
    closed: connection.closed,
    until: (isSo) =>
      new Promise((resolve) => {
        const each = (): void => {
          if (!isSo(editor)) return;
          looks.delete(each);
          resolve();
        };
        looks.add(each);
        each();
      }),
    [Symbol.asyncDispose]: async () => {
      end();
      connection.close();
      await connection.closed.catch(() => {});
    },
  };
  return editor;
}
