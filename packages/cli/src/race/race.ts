import { Readable } from 'node:stream';
import { generateName, worktreesNamed } from '@parley/workspace/worktree';
import { stateFolder } from '../configuration/places.ts';
import { Ending } from '../conversation/ending.ts';
import { prepareConversation } from '../conversation/prepare-conversation.ts';
import { exitStatus, statusOfError } from '../exit-status.ts';
import { toPlainText } from '../output/plain.ts';
import { createWriter } from '../output/writer.ts';
import { readPrompt } from '../run/prompt.ts';
import { listenForSignals } from '../run/signals.ts';
import type { Surroundings } from '../surroundings.ts';
import { openSessionWorktree, type OpenSessionWorktree } from '../worktrees/session-worktree.ts';
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
  const runners = await prepareRunners(flags, surroundings, ending.begun);
  const id = await freeRaceId(runners, surroundings);
  const places = await openPlaces(runners, id, { surroundings, ending, log });
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
          ...(flags.check !== undefined && { check: flags.check }),
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
  { runners }: RaceFlags,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<readonly RunnerFlags[]> {
  const [first] = runners;
  if (first === undefined) return [];
  const text = await readPrompt(first.flags.prompt, surroundings.stdin, signal);
  const warn = (): void => undefined;
  for (const { flags } of runners) await prepareConversation(flags, surroundings, { warn, signal });
  return runners.map((runner) => ({
    ...runner,
    flags: { ...runner.flags, prompt: { kind: 'text', text } },
  }));
}

/** An id with which no worktree of this machine begins yet, so that those of its runners name one worktree each. */
async function freeRaceId(runners: readonly RunnerFlags[], { env }: Surroundings): Promise<string> {
  const place = { stateFolder: stateFolder(env), onDamaged: () => undefined };
  for (;;) {
    const id = generateName();
    const taken = await Promise.all(runners.map(({ label }) => worktreesNamed(`${id}-${label}`, place)));
    if (taken.every(({ length }) => length === 0)) return id;
  }
}

/** Opens the worktrees at once. Where one cannot be opened there is no race, and those that are empty go. */
async function openPlaces(
  runners: readonly RunnerFlags[],
  id: string,
  {
    surroundings,
    ending,
    log,
  }: {
    readonly surroundings: Surroundings;
    readonly ending: Ending;
    readonly log: (message: string) => void;
  },
): Promise<readonly OpenSessionWorktree[]> {
  const opened = await Promise.allSettled(
    runners.map(({ label, flags }) =>
      openSessionWorktree(
        flags.cwd,
        { ...flags.worktree, name: `${id}-${label}` },
        {
          env: surroundings.env,
          signal: ending.begun,
          warn: (message) => {
            log(`${id}-${label}: ${message}`);
          },
        },
      ),
    ),
  );
  const places = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  for (const each of opened) {
    if (each.status === 'fulfilled') continue;
    await Promise.all(places.map((place) => place[Symbol.asyncDispose]()));
    throw each.reason;
  }
  for (const place of places) place.keep();
  return places;
}

/** No runner asks the user at the terminal: it would be unclear which one does. */
function alone(surroundings: Surroundings): Surroundings {
  return { ...surroundings, stdin: Readable.from([]) };
}
