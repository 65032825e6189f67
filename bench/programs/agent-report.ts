import { writeSync } from 'node:fs';

/** What an agent program reports about itself when it ends, beside the protocol, on descriptor 3. */
export interface AgentReport {
  /** Processor time of the whole process from the prompt to the end. */
  readonly cpuMicros: number;
  /** Half of the round trips took no longer than this. */
  readonly roundTripP50Micros?: number;
}

/** The descriptor the report is written to; what starts an agent program may leave it out. */
export const reportDescriptor = 3;

/** Starts the agent's own measurement: its report is written when the process ends. */
export function startReport(): { readonly roundTrips: number[] } {
  const cpuBefore = process.cpuUsage();
  const roundTrips: number[] = [];
  process.once('exit', () => {
    const { user, system } = process.cpuUsage(cpuBefore);
    const report: AgentReport = {
      cpuMicros: user + system,
      ...(roundTrips.length > 0 && { roundTripP50Micros: middleOf(roundTrips) * 1000 }),
    };
    try {
      writeSync(reportDescriptor, JSON.stringify(report));
    } catch {
      // No listener: the agent was started by a command that is measured as a whole.
    }
  });
  return { roundTrips };
}

function middleOf(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
