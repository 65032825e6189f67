import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { nowMicros, toFanoutText, type FanoutWork } from './fanout.ts';

const [, , sessions = '0', events = '0', gapMs = '0', program = '', ...args] = process.argv;
const work: FanoutWork = { events: Number(events), gapMs: Number(gapMs) };

const server = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
const { url, token, agent: name } = await nextLine();
const agent = new Agent({ keepAlive: true });
const offlineText = 'one of many pieces of an answer';

const ids: string[] = [];
for (let index = 0; index < Number(sessions); index++) {
  const response = await post('/sessions', { agent: { name } });
  const answer = await json(response);
  if (!isRecord(answer) || typeof answer['sessionId'] !== 'string') throw new Error(JSON.stringify(answer));
  ids.push(answer['sessionId']);
}
// Once before it is measured: the first turn of a session opens it at the agent, and servers run for days.
await Promise.all(ids.map((id) => stream(id, { ...work, events: Math.min(work.events, 200) })));

server.stdin.write('begin\n');
const latencies: number[] = [];
const before = process.cpuUsage();
const start = performance.now();
await Promise.all(ids.map((id) => stream(id, work, name === 'scripted' ? latencies : undefined)));
const seconds = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage(before);

server.stdin.end();
const { cpuMicros, peakBytes } = await nextLine();
await once(server, 'exit');
latencies.sort((left, right) => left - right);
console.log(
  JSON.stringify({
    seconds,
    rate: (ids.length * work.events) / seconds,
    p50: latencies[Math.floor(latencies.length * 0.5)],
    p99: latencies[Math.floor(latencies.length * 0.99)],
    cpuMicros,
    peakBytes,
    clientCpuMicros: user + system,
  }),
);
process.exit();

/** Has a session say what it is to say; rejects unless all of it arrives. */
async function stream(sessionId: string, wanted: FanoutWork, times?: number[]): Promise<void> {
  const content =
    name === 'offline' ? `repeat ${String(wanted.events)}: say: ${offlineText}` : toFanoutText(wanted);
  const messages = [{ role: 'user', content }];
  const response = await post(`/sessions/${sessionId}/turns`, { messages, stream: 'delta' });
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
      if (times !== undefined && deltas % 8 === 0) {
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

function post(path: string, body: object): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${String(token)}`, 'content-type': 'application/json' };
    request(`${String(url)}${path}`, { method: 'POST', agent, headers }, resolve)
      .once('error', reject)
      .end(JSON.stringify(body));
  });
}

async function nextLine(): Promise<Readonly<Record<string, unknown>>> {
  const { value } = await lines.next();
  const line: unknown = JSON.parse(String(value));
  if (!isRecord(line)) throw new Error(`the server said ${String(value)}`);
  return line;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
