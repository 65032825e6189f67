import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { findSandboxEngine } from '@parley/workspace/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parley, scripted, stopOf, temporaryFolder, toLines } from './command.ts';

const engine = await findSandboxEngine({ projects: [] });
const listed = createServer((_request, response) => response.end('listed reached'));
const other = createServer((_request, response) => response.end('other reached'));

const portOf = (server: typeof listed): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  for (const server of [listed, other]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }
});

afterAll(() => {
  for (const server of [listed, other]) server.close();
});

/** A request of a program in the sandbox: through the proxy that its variables name, or past it. */
function request(port: number, isProxied: boolean): object {
  const script = `const target = 'http://127.0.0.1:${String(port)}/';
    const url = ${isProxied ? `new URL(process.env.HTTP_PROXY)` : 'new URL(target)'};
    require('http').get({ host: url.hostname, port: url.port, path: target }, async (answer) => {
      console.log(answer.statusCode, String((await answer.toArray()).join('')));
    }).on('error', (error) => console.log(error.code));`;
  return { shell: `${process.execPath} -e ${JSON.stringify(script.replaceAll(/\s+/gu, ' '))}` };
}

test.skipIf(engine.name === 'none')(
  'an agent in the sandbox reaches the hosts of the list by the proxy and nothing else; a new host is refused with status 3',
  async () => {
    await using folder = await temporaryFolder();
    const home = path.join(folder.path, '.home');
    await mkdir(home);
    const network = [`127.0.0.1:${String(portOf(listed))}`];
    await writeFile(
      path.join(home, 'config.json'),
      JSON.stringify({ sandbox: { mode: 'workspace', network } }),
    );
    const steps = [
      request(portOf(listed), true),
      request(portOf(listed), false),
      request(portOf(other), true),
      request(portOf(other), true),
    ];
    const finished = await parley(
      ['run', '--format', 'json', '--approve', 'all', 'go', '--', ...scripted({ prompt: steps })],
      { cwd: folder.path },
    );
    const lines = toLines(finished.stdout);
    const said = finished.stdout;
    expect(said).toContain('200 listed reached');
    expect(said).toContain('ECONNREFUSED');
    expect(said).toContain(`403 The sandbox blocked the connection to 127.0.0.1:${String(portOf(other))}`);
    expect(said).not.toContain('other reached');
    const target = { host: '127.0.0.1', port: portOf(other) };
    expect(lines.filter(({ type }) => type === 'permission')).toMatchObject([
      {
        by: 'nobody',
        decision: 'reject',
        reason: expect.stringContaining(`the sandbox does not allow 127.0.0.1:${String(target.port)}`),
        toolCall: { title: `Connect to 127.0.0.1:${String(target.port)}`, kind: 'fetch', rawInput: target },
      },
    ]);
    expect(lines.filter(({ type }) => type === 'network')).toMatchObject([
      {
        hosts: [
          { host: '127.0.0.1', port: portOf(listed), connections: 1, blocked: 0 },
          { ...target, connections: 0, blocked: 2 },
        ],
      },
    ]);
    expect(stopOf(lines)).toMatchObject({ stopReason: 'end_turn', exitCode: 3 });
    expect(finished.status).toBe(3);
  },
);
