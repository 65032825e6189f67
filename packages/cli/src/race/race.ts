import { Readable } from 'node:stream';
import { freeRaceId, openTogether, runnerName } from '@parley/host';
import { stateFolder } from '../configuration/places.ts';
import { Ending } from '../conversation/ending.ts';
import { prepareConversation } from '../conversation/prepare-conversation.ts';
import { exitStatus, statusOfError } from '../exit-status.ts';
import { toPlainText } from '../output/plain.ts';
import { createWriter } from '../output/writer.ts';
import { readPrompt } from '../run/prompt.ts';
import { listenForSignals } from '../run/signals.ts';
import type { Surroundings } from '../surroundings.ts';
import { openSessionWorktree } from '../worktrees/session-worktree.ts';
import { parseRaceFlags, type RaceFlags, type RunnerFlags, type TypedRaceFlags } from './flags.ts';
import { raceTable } from './race-table.ts';
import { runInWorktree, type RunnerResult } from './runner.ts';

/** `parley race`: one prompt, several agents, each in a worktree. Gives the exit status. */
export async function race(typed: TypedRaceFlags, surroundings: Surroundings): Promise<number> {
  const flags = parseRaceFlags(typed, surroundings.cwd);
  const ending = new Ending();
  using _signals = listenForSignals(ending);
  const log = (message: string): void => {
    surroundings.stderr.write(`parley: ${toPlainText(message)}\n`);
  };
  const { prompt, runners } = await prepareRunners(flags, surroundings, ending.begun);
  const id = await freeRaceId(
    runners.map(({ label }) => label),
    { stateFolder: stateFolder(surroundings.env), onDamaged: () => undefined },
  );
  const places = await openTogether(
    runners.map(({ label, flags: { cwd, worktree } }) => {
      const name = runnerName(id, label);
      return openSessionWorktree(
        cwd,
        { ...worktree, name },
        {
          env: surroundings.env,
          signal: ending.begun,
          warn: (message) => {
            log(`${name}: ${message}`);
          },
        },
      );
    }),
  );
  const writer = createWriter(surroundings.stdout);
  const line = (value: object): void => {
    if (flags.isJson) writer.write(`${JSON.stringify(value)}\n`);
  };
  try {
    const results = await Promise.all(
      runners.map(async (runner, index): Promise<RunnerResult> => {
        const place = places[index];
        if (place === undefined) throw new Error('each runner has a worktree');
        log(`${place.worktree.name}: started`);
        const result = await runInWorktree(runner, place, {
          surroundings: alone(surroundings),
          ending,
          race: { id, prompt, ...(flags.check !== undefined && { command: flags.check }) },
          log: (message) => {
            log(`${place.worktree.name}: ${message}`);
          },
        });
        const { stopReason, error, seconds } = result;
        log(`${result.id}: ${stopReason ?? error?.message ?? 'ended'}, after ${String(seconds)} s`);
        line({ type: 'runner', ...result });
        return result;
      }),
    );
    line({ type: 'race', id, runners: results });
    if (!flags.isJson) writer.write(raceTable(results, surroundings));
    await writer.flush();
    if (ending.cause !== undefined) return statusOfError(ending.cause.code);
    return results.some(({ exitCode }) => exitCode === 0) ? exitStatus.done : exitStatus.failed;
  } finally {
    await Promise.all(places.map((place) => place[Symbol.asyncDispose]()));
  }
}

/** Reads the prompt once, and looks that each agent is known, before anything is made. */
async function prepareRunners(
  { prompt: source, runners }: RaceFlags,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<{ readonly prompt: string; readonly runners: readonly RunnerFlags[] }> {
  const text = await readPrompt(source, surroundings.stdin, signal);
  const warn = (): void => undefined;
  for (const { flags } of runners) await prepareConversation(flags, surroundings, { warn, signal });
  return {
    prompt: text,
    runners: runners.map((runner) => ({
      ...runner,
      flags: { ...runner.flags, prompt: { kind: 'text', text } },
    })),
  };
}

/** No runner asks the user at the terminal: it would be unclear which one does. */
function alone(surroundings: Surroundings): Surroundings {
  return { ...surroundings, stdin: Readable.from([]) };
}
