import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { AgentReport } from './agent-report.ts';
import { createTally } from './tally.ts';
import type { Tally } from './tally.ts';
import { parseWork, promptOf } from './work.ts';

/** The pipes of the agent process that a client program talks to. */
export interface AgentPipes {
  readonly input: Writable;
  readonly output: Readable;
}

/** A conversation that has a session and waits for its prompt. */
export interface OpenSession {
  prompt(text: string): Promise<unknown>;
  close(): unknown;
}

/** What a client program measured, as its only line on standard output. */
export interface ClientReport {
  readonly seconds: number;
  readonly clientCpuMicros: number;
  /** Absent when the agent is a command that does not report. */
  readonly agentCpuMicros?: number;
  readonly roundTripP50Micros?: number;
  readonly peakBytes: number;
}

/**
 * Runs a client program: lets Node run the agent given after the work, lets `open` make a session with it, prompts it
 * for the work of the first argument, waits until everything arrived and is right, and reports.
 */
export async function drive(open: (agent: AgentPipes, tally: Tally) => Promise<OpenSession>): Promise<void> {
  const [, , work = '', ...agentCommand] = process.argv;
  const agent = spawn(process.execPath, agentCommand, { stdio: ['pipe', 'pipe', 'inherit', 'pipe'] });
  const exited = once(agent, 'exit');
  const { stdin: input, stdout: output } = agent;
  const [, , , reportPipe] = agent.stdio;
  if (input === null || output === null || !isReadable(reportPipe)) throw new Error('the agent has no pipes');
  const agentReport = text(reportPipe);
  const tally = createTally(parseWork(work));
  const prompt = promptOf(parseWork(work));
  const session = await open({ input, output }, tally);

  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  await Promise.all([session.prompt(prompt), tally.complete]);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);

  await session.close();
  input.end();
  await exited;
  const { cpuMicros, roundTripP50Micros }: Partial<AgentReport> = JSON.parse((await agentReport) || '{}');
  const report: ClientReport = {
    seconds,
    clientCpuMicros: user + system,
    ...(cpuMicros !== undefined && { agentCpuMicros: cpuMicros }),
    ...(roundTripP50Micros !== undefined && { roundTripP50Micros }),
    peakBytes: process.resourceUsage().maxRSS * 1024,
  };
  console.log(JSON.stringify(report));
}

function isReadable(value: unknown): value is Readable {
  return typeof value === 'object' && value !== null && 'pipe' in value;
}
