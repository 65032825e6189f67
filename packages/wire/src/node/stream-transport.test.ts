import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { connect } from '../connection/connect.ts';
import type { ConnectionOptions } from '../connection/connection-options.ts';
import type { Connection } from '../connection/connection.ts';
import type { Diagnostic } from '../connection/diagnostic.ts';
import type { CloseReason } from '../transport.ts';
import { streamTransport } from './stream-transport.ts';

const children: ChildProcessWithoutNullStreams[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
});

interface Spawned {
  readonly child: ChildProcessWithoutNullStreams;
  readonly connection: Connection;
  readonly diagnostics: Diagnostic[];
}

/** Runs a script as the peer of a connection. */
function spawnPeer(
  script: string,
  options: ConnectionOptions & { readonly maxLineBytes?: number } = {},
): Spawned {
  const child = spawn(process.execPath, ['-e', script]);
  children.push(child);
  const diagnostics: Diagnostic[] = [];
  const exited = new Promise<CloseReason>((resolve) => {
    child.once('exit', (code) => resolve({ code: 'exited', message: `the process exited with ${code}` }));
  });
  const { maxLineBytes, ...rest } = options;
  const transport = streamTransport({
    input: child.stdout,
    output: child.stdin,
    exited,
    ...(maxLineBytes !== undefined && { maxLineBytes }),
  });
  const connection = connect(transport, {
    answerFaults: false,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...rest,
  });
  return { child, connection, diagnostics };
}

/** The first thing a child says on its standard error. */
function firstWords(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve) => child.stderr.once('data', (data: Buffer) => resolve(data.toString())));
}

/** A peer that answers each request with its params, and says something odd first. */
const echo = (odd: string): string => `
  ${odd}
  const lines = require('node:readline').createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const { id, params } = JSON.parse(line);
    if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: params }) + '\\n');
  });
`;

describe('a peer behind pipes', () => {
  test('is asked and answers', async () => {
    const { connection } = spawnPeer(echo(''));
    await expect(connection.request('echo', { text: 'grüße 😀\n' })).resolves.toEqual({ text: 'grüße 😀\n' });
    await connection.close();
    await expect(connection.closed).resolves.toMatchObject({ code: 'local' });
  });

  test('that writes noise between messages is survived, and the noise is counted', async () => {
    const { connection, diagnostics } = spawnPeer(
      echo(`console.log('npm warn noise'); console.log('[1,2');`),
    );
    await expect(connection.request('echo', { a: 1 })).resolves.toEqual({ a: 1 });
    expect(diagnostics).toMatchObject([
      { code: 'malformed', bytes: 14, head: 'npm warn noise' },
      { code: 'malformed', bytes: 4 },
    ]);
  });

  test('that writes bytes which are not UTF-8 is survived', async () => {
    const { connection, diagnostics } = spawnPeer(
      echo(`process.stdout.write(Buffer.from([0x22, 0xc3, 0x28, 0x22, 10]));`),
    );
    await expect(connection.request('echo', { a: 1 })).resolves.toEqual({ a: 1 });
    expect(diagnostics).toMatchObject([{ code: 'encoding', bytes: 4 }]);
  });

  test('that writes a line of 100 MB is survived', async () => {
    const hundred = `process.stdout.write('"' + 'x'.repeat(100 * 1024 * 1024) + '"\\n');`;
    const { connection, diagnostics } = spawnPeer(echo(hundred));
    await expect(connection.request('echo', { a: 1 })).resolves.toEqual({ a: 1 });
    expect(diagnostics).toMatchObject([{ code: 'too-large' }]);
  });

  test('whose answer is too long fails that request, and no other', async () => {
    const { connection } = spawnPeer(echo(''), { maxLineBytes: 1000 });
    const long = connection.request('echo', { text: 'x'.repeat(2000) });
    const short = connection.request('echo', { text: 'short' });
    await expect(long).rejects.toMatchObject({ code: 'too-large', id: 1 });
    await expect(short).resolves.toEqual({ text: 'short' });
  });

  test('that ends in the middle of a line is reported as truncated', async () => {
    const { connection, diagnostics } = spawnPeer(`process.stdout.write('{"jsonrpc":"2.0",');`);
    await connection.closed;
    expect(diagnostics).toMatchObject([{ code: 'truncated', bytes: 17 }]);
  });

  test('that dies rejects the requests it has not answered', async () => {
    const { connection } = spawnPeer(`process.stdin.once('data', () => process.exit(3));`);
    const answer = connection.request('prompt');
    await expect(answer).rejects.toMatchObject({ code: 'closed', method: 'prompt', id: 1 });
    const { code } = await connection.closed;
    expect(['end-of-input', 'exited']).toContain(code);
  });

  test('that dies is not waited for, though a grandchild keeps its output open', async () => {
    const { connection, child } = spawnPeer(`
      const { spawn } = require('node:child_process');
      const held = spawn('sleep', ['60'], { stdio: ['ignore', 'inherit', 'ignore'], detached: true });
      process.stderr.write(String(held.pid), () => process.exit(0));
    `);
    const pid = await firstWords(child);
    await expect(connection.closed).resolves.toMatchObject({ code: 'exited' });
    process.kill(Number(pid), 'SIGKILL');
  });

  test('that answers and exits at once: its answer arrives', async () => {
    const { connection } = spawnPeer(`
      process.stdin.once('data', () => {
        process.stdout.write('{"jsonrpc":"2.0","id":1,"result":"last words"}\\n', () => process.exit(0));
      });
    `);
    await expect(connection.request('prompt')).resolves.toBe('last words');
  });

  test('that stops reading makes notify wait, then fail', async () => {
    const { connection } = spawnPeer(`setInterval(() => {}, 1000);`, { limits: { stallMs: 200 } });
    const flood = async (): Promise<void> => {
      for (;;) await connection.notify('update', { text: 'x'.repeat(10_000) });
    };
    await expect(flood()).rejects.toMatchObject({ code: 'stalled' });
    await expect(connection.closed).resolves.toMatchObject({ code: 'stalled' });
  });

  test('that closes its input fails what is sent', async () => {
    const { connection } = spawnPeer(`require('node:fs').closeSync(0); setInterval(() => {}, 1000);`);
    const flood = async (): Promise<void> => {
      for (;;) await connection.notify('update', { text: 'x'.repeat(10_000) });
    };
    await expect(flood()).rejects.toMatchObject({ code: 'closed' });
    await expect(connection.closed).resolves.toMatchObject({ code: 'failed' });
  });

  test('that closes its input rejects open requests, even if nothing is sent after', async () => {
    const { connection, child } = spawnPeer(`
      require('node:fs').closeSync(0);
      process.stderr.write('closed');
      setInterval(() => {}, 1000);
    `);
    await firstWords(child);
    await expect(connection.request('prompt')).rejects.toMatchObject({ code: 'closed', method: 'prompt' });
    await expect(connection.closed).resolves.toMatchObject({ code: 'failed' });
  });

  test('that floods with lines that take long leaves turns of the event loop to others', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const log: string[] = [];
    const transport = streamTransport({ input, output });
    transport.start({
      receive: () => {
        const begun = performance.now();
        while (performance.now() - begun < 20);
        log.push('received');
      },
      close: () => undefined,
    });
    const turns = setInterval(() => log.push('another'), 1);
    for (let count = 0; count < 4; count++) input.write('{}\n');
    await expect.poll(() => log.filter((entry) => entry === 'received').length).toBe(4);
    clearInterval(turns);
    await transport.close({ code: 'local', message: 'done' });
    expect(
      log.slice(0, log.lastIndexOf('received')).filter((entry) => entry === 'another').length,
    ).toBeGreaterThan(1);
  });

  test('that floods is slowed down by a slow handler', async () => {
    let handled = 0;
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { connection, child } = spawnPeer(
      `
      const line = JSON.stringify({ jsonrpc: '2.0', method: 'update', params: { text: 'x'.repeat(1000) } }) + '\\n';
      let sent = 0;
      (function more() {
        while (sent < 20000) { sent++; if (!process.stdout.write(line)) return process.stdout.once('drain', more); }
        process.stdin.on('data', () => process.stdout.write('{"jsonrpc":"2.0","id":1,"result":null}\\n'));
      })();
      setTimeout(() => process.stderr.write(String(sent)), 500);
    `,
      {
        onNotification: async () => {
          await opened;
          handled++;
        },
      },
    );
    const sentEarly = await firstWords(child);
    expect(Number(sentEarly)).toBeLessThan(10_000);
    open();
    await connection.request('done');
    expect(handled).toBe(20_000);
  });
});
