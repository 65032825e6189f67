import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { nowMicros, toFanoutText, type FanoutWork } from './fanout.ts';

// Has the sessions of one or several servers stream at once, and receives all of it.

const [, , sessions = '0', events = '0', gapMs = '0', processes = '1', program = '', ...args] = process.argv;
const work: FanoutWork = { events: Number(events), gapMs: Number(gapMs) };

const servers = await Promise.all(Array.from({ length: Number(processes) }, start));
const agent = new Agent({ keepAlive: true });
const offlineText = 'one of many pieces of an answer';

const streams: SessionStream[] = [];
for (let index = 0; index < Number(sessions); index++) {
  const server = servers[index % servers.length];
  if (server === undefined) throw new Error('no server');
  const response = await post(server, '/sessions', { agent: { name: server.agent } });
  const answer = await json(response);
  if (!isRecord(answer) || typeof answer['sessionId'] !== 'string') throw new Error(JSON.stringify(answer));
  streams.push({ server, sessionId: answer['sessionId'] });
}
// Once before it is measured: the first turn of a session opens it at the agent, and servers run for days.
await Promise.all(streams.map((each) => stream(each, { ...work, events: Math.min(work.events, 200) })));

for (const { child } of servers) child.stdin.write('begin\n');
const latencies: number[] = [];
const before = process.cpuUsage();
const begun = performance.now();
await Promise.all(streams.map((each) => stream(each, work, latencies)));
const seconds = (performance.now() - begun) / 1000;
const { user, system } = process.cpuUsage(before);

const reports = await Promise.all(
  servers.map(async ({ child, lines }) => {
    child.stdin.end();
    const { cpuMicros, peakBytes } = await nextLine(lines);
    if (child.exitCode === null) await once(child, 'exit');
    return { cpuMicros: Number(cpuMicros), peakBytes: Number(peakBytes) };
  }),
);
latencies.sort((left, right) => left - right);
console.log(
  JSON.stringify({
    seconds,
    rate: (streams.length * work.events) / seconds,
    p50: latencies[Math.floor(latencies.length * 0.5)],
    p99: latencies[Math.floor(latencies.length * 0.99)],
    cpuMicros: reports.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0),
    peakBytes: reports.reduce((sum, { peakBytes }) => sum + peakBytes, 0),
    clientCpuMicros: user + system,
  }),
);
process.exit();

interface DrivenServer {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly lines: AsyncIterator<string>;
  readonly url: string;
  readonly token: string;
  readonly agent: string;
}

interface SessionStream {
  readonly server: DrivenServer;
  readonly sessionId: string;
}

async function start(): Promise<DrivenServer> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { url, token, agent: name } = await nextLine(lines);
  return { child, lines, url: String(url), token: String(token), agent: String(name) };
}

/** Has a session say what it is to say; rejects unless all of it arrives. */
async function stream(
  { server, sessionId }: SessionStream,
  wanted: FanoutWork,
  times?: number[],
): Promise<void> {
  const isOffline = server.agent === 'offline';
  const content = isOffline ? `repeat ${String(wanted.events)}: say: ${offlineText}` : toFanoutText(wanted);
  const messages = [{ role: 'user', content }];
  const response = await post(server, `/sessions/${sessionId}/turns`, { messages, stream: 'delta' });
  response.setEncoding('latin1');
  let deltas = 0;
  let isStopped = false;
  let rest = '';
  for await (const chunk of response) {
    const now = nowMicros();
    const parts = `${rest}${String(chunk)}`.split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      if (part.includes('event: turn_stop')) isStopped = part.includes('"end_turn"');
      if (!part.includes('event: text_delta')) continue;
      // A few times are enough, and reading them is not what is measured.
      if (times !== undefined && !isOffline && deltas % 8 === 0) {
        const at = part.indexOf('"delta":"') + '"delta":"'.length;
        times.push(now - Number(part.slice(at, at + 16)));
      }
      deltas += 1;
    }
  }
  if (deltas !== wanted.events || !isStopped) {
    throw new Error(`session ${sessionId}: ${String(deltas)} of ${String(wanted.events)} events, ${rest}`);
  }
}

function post({ url, token }: DrivenServer, path: string, body: object): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    request(`${url}${path}`, { method: 'POST', agent, headers }, resolve)
      .once('error', reject)
      .end(JSON.stringify(body));
  });
}

async function nextLine(lines: AsyncIterator<string>): Promise<Readonly<Record<string, unknown>>> {
  const { value } = await lines.next();
  const line: unknown = JSON.parse(String(value));
  if (!isRecord(line)) throw new Error(`the server said ${String(value)}`);
  return line;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
