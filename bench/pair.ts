import { programPath, runProgram } from './child.ts';
import type { Work } from './programs/work.ts';
import { numbersOf } from './sample.ts';

/** The four ways a client and an agent of the bench are written. */
export type Library = 'ours' | 'official' | 'vscode' | 'bare';

/** A client of the bench; `host` is ours with all that is around it: event log and view. */
export type ClientName = Library | 'host';

/** Runs a client program that starts an agent program, over pipes; gives what both measured. */
export async function runPair(
  client: ClientName,
  agent: Library,
  work: Work,
): Promise<Readonly<Record<string, number>>> {
  return runClient(client, [programPath(`agent-${agent}`)], work);
}

/** Runs a client program with an agent that Node is to run with these arguments. */
export async function runClient(
  client: ClientName,
  agentCommand: readonly string[],
  work: Work,
  env?: NodeJS.ProcessEnv,
): Promise<Readonly<Record<string, number>>> {
  const args = [JSON.stringify(work), ...agentCommand];
  return numbersOf(await runProgram(`client-${client}`, args, env && { env }));
}
