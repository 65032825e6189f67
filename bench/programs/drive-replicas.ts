import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

// Has replicas append events at the same time, and measures from the first that begins to the last that ends.

const [, , replicas = '1', program = '', store = '', sessions = '0', events = '0'] = process.argv;

const sessionsEach = Number(sessions) / Number(replicas);
const running = Array.from({ length: Number(replicas) }, () => {
  const child = spawn(process.execPath, [program, store, String(sessionsEach), events], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
});
for (const { lines } of running) await lines.next();
for (const { child } of running) child.stdin.end('begin\n');
const reports = await Promise.all(
  running.map(async ({ child, lines }) => {
    const { value } = await lines.next();
    if (child.exitCode === null) await once(child, 'exit');
    if (value === undefined) throw new Error('a replica ended without a report');
    const report: { begun: number; ended: number; cpuMicros: number } = JSON.parse(value);
    return report;
  }),
);
const count = Number(sessions) * Number(events);
const micros =
  Math.max(...reports.map(({ ended }) => ended)) - Math.min(...reports.map(({ begun }) => begun));
const cpuMicros = reports.reduce((sum, report) => sum + report.cpuMicros, 0);
console.log(JSON.stringify({ rate: (count * 1e6) / micros, cpu: cpuMicros / count }));
