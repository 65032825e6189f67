import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { isRunning, parley, scripted, startParley, temporaryFolder } from './command.ts';

const wait = { timeout: 120_000, interval: 20 };

/** An agent that goes on after the end of its input, with a child; both ids are in the file `ids`. */
function family(): string[] {
  const script = JSON.stringify({ deaf: true, prompt: [{ say: 'working' }, { until: 'never' }] });
  const line = `sleep 100 & echo $! $$ > ids; exec "$0" "$1" "$2"`;
  return ['sh', '-c', line, ...scripted({}).slice(0, 2), script];
}

async function idsIn(folder: string): Promise<number[]> {
  const text = await readFile(path.join(folder, 'ids'), 'utf8').catch(() => '');
  return text.split(/\s+/).filter(Boolean).map(Number);
}

test.runIf(process.platform === 'linux')(
  'nothing of an agent outlives a command that is killed, and what a killed watchdog left the next command ends',
  async () => {
    await using folder = await temporaryFolder();
    const records = path.join(folder.path, '.home', 'processes');
    const begin = async (): Promise<ReturnType<typeof startParley>> => {
      const child = startParley(['run', 'go', '--', ...family()], { cwd: folder.path });
      child.stdout.setEncoding('utf8');
      for await (const text of child.stdout) if (String(text).includes('working')) break;
      return child;
    };

    const killed = await begin();
    const ids = await idsIn(folder.path);
    expect(ids.map(isRunning)).toEqual([true, true]);
    killed.kill('SIGKILL');
    await expect.poll(() => ids.filter(isRunning), wait).toEqual([]);

    const unwatched = await begin();
    const left = await idsIn(folder.path);
    let record = '';
    await expect
      .poll(async () => {
        record = await readFile(path.join(records, String(unwatched.pid)), 'utf8').catch(() => '');
        return record;
      }, wait)
      .toContain('group ');
    const watchdog = Number(/^watchdog (\d+)/m.exec(record)?.[1]);
    process.kill(watchdog, 'SIGKILL');
    unwatched.kill('SIGKILL');
    await once(unwatched, 'exit');
    await expect.poll(() => isRunning(watchdog), wait).toBe(false);
    expect(left.map(isRunning)).toEqual([true, true]);

    const { status, stderr } = await parley(['run', 'say: hello'], { cwd: folder.path });

    expect(status).toBe(0);
    expect(stderr).toContain('ended processes that an earlier parley left running: 1');
    await expect.poll(() => left.filter(isRunning), wait).toEqual([]);
  },
);

test.runIf(process.platform === 'linux')(
  'what a session of parley agent has started is ended by the next one, where agent and watchdog were killed',
  async () => {
    await using folder = await temporaryFolder();
    const cwd = folder.path;
    const records = path.join(cwd, '.home', 'processes');
    const agent = startParley(['agent'], { cwd });
    const sent: readonly [method: string, params: object][] = [
      ['initialize', { protocolVersion: 1, clientCapabilities: {} }],
      ['session/new', { cwd, mcpServers: [] }],
    ];
    const lines = createInterface({ input: agent.stdout });
    const answer = (id: number): Promise<string> =>
      new Promise((resolve) => {
        lines.on('line', (line) => {
          if (line.includes(`"id":${String(id)},`)) resolve(line);
        });
      });
    const ask = (id: number, method: string, params: object): Promise<string> => {
      const coming = answer(id);
      agent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return coming;
    };
    let last = '';
    for (const [id, [method, params]] of sent.entries()) last = await ask(id, method, params);
    const sessionId = /"sessionId":"([^"]+)"/.exec(last)?.[1];
    await ask(2, 'session/set_mode', { sessionId, modeId: 'full-access' });
    const text = 'run sleep 100 & echo $! $$ > ids; wait';
    void ask(3, 'session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    await expect.poll(() => idsIn(cwd), wait).toHaveLength(2);
    const left = await idsIn(cwd);
    let record = '';
    await expect
      .poll(async () => {
        record = await readFile(path.join(records, String(agent.pid)), 'utf8').catch(() => '');
        return record;
      }, wait)
      .toContain('group ');
    agent.kill('SIGSTOP');
    process.kill(Number(/^watchdog (\d+)/m.exec(record)?.[1]), 'SIGKILL');
    agent.kill('SIGKILL');
    await once(agent, 'exit');
    expect(left.map(isRunning)).toEqual([true, true]);

    const next = await parley(['agent'], { cwd, input: '' });

    expect(next.stderr).toContain('ended processes that an earlier parley left running: 1');
    await expect.poll(() => left.filter(isRunning), wait).toEqual([]);
  },
);
