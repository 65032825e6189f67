import { isDeepStrictEqual } from 'node:util';
import { isPackageRunner, type AgentSpec } from '@parley/host';
import { startProcess, type ProcessGroup, type ProcessOptions } from '@parley/workspace';
import { choiceFor } from '../../configuration/sandbox-settings.ts';
import type { PreparedConversation } from '../prepare-conversation.ts';

/** The agent of a conversation, perhaps with a process. Disposing ends that process, unless it was taken for a connection. */
export interface AgentAhead extends AsyncDisposable {
  readonly spec: AgentSpec;
}

/**
 * Starts the process of an agent before the code that talks to it is loaded: both take about as long, on two
 * processors. Only an agent without a sandbox, and with a command that is started as it is; others are started when
 * they are needed, and so is one that could not be started, which is then explained.
 */
export async function startAhead({
  flags,
  configuration,
  spec,
}: Pick<PreparedConversation, 'flags' | 'configuration' | 'spec'>): Promise<AgentAhead> {
  const { reach, env = {} } = spec;
  const isHeld = (flags.sandbox ?? choiceFor(configuration, spec.name)) !== 'off';
  if (reach.by !== 'command' || isHeld || isPackageRunner(reach.command, reach.args ?? [])) {
    return notAhead(spec);
  }
  const start: ProcessOptions = { command: reach.command, args: reach.args ?? [], cwd: flags.cwd, env };
  const group = await startProcess(start).catch(() => undefined);
  if (group === undefined) return notAhead(spec);
  const release = keepOutput(group);
  let isTaken = false;
  const startedAhead = (wanted: ProcessOptions): ProcessGroup | undefined => {
    if (isTaken || !isDeepStrictEqual(wanted, start)) return undefined;
    isTaken = true;
    release();
    return group;
  };
  return {
    spec: { ...spec, reach: { ...reach, startedAhead } },
    async [Symbol.asyncDispose]() {
      if (!isTaken) await group.end({ inputMs: 0 });
    },
  };
}

function notAhead(spec: AgentSpec): AgentAhead {
  return { spec, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** Keeps what a process writes until it is read: Node discards the output of one that exits while nothing listens. */
function keepOutput({ stdout, stderr }: ProcessGroup): () => void {
  for (const stream of [stdout, stderr]) stream.on('readable', nothing);
  return () => {
    for (const stream of [stdout, stderr]) stream.off('readable', nothing);
  };
}

function nothing(): void {
  // What is there is read later.
}
