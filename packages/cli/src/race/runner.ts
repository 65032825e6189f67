import type { HostEvent } from '@parley/host';
import { runCommand, WorkspaceError } from '@parley/workspace';
import { worktreeState } from '@parley/workspace/worktree';
import { CliError } from '../cli-error.ts';
import { stateFolder } from '../configuration/places.ts';
import { Ending } from '../conversation/ending.ts';
import { outcomeOfEnding, outcomeOfError, outcomeOfTurn } from '../conversation/outcome.ts';
import { exitStatus } from '../exit-status.ts';
import type { Outcome, Output } from '../output/output.ts';
import type { EventSink } from '../run/event-sink.ts';
import { takeTurn } from '../run/take-turn.ts';
import type { Surroundings } from '../surroundings.ts';
import type { OpenSessionWorktree } from '../worktrees/session-worktree.ts';
import type { RunnerFlags } from './flags.ts';

/** What a runner did, as `--json` has it. */
export interface RunnerResult {
  readonly id: string;
  readonly agent: string;
  /** The name of its worktree. */
  readonly worktree: string;
  readonly path: string;
  readonly exitCode: number;
  readonly stopReason: string | null;
  readonly error?: Outcome['error'];
  readonly seconds: number;
  readonly usage: unknown;
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
  readonly check: CheckResult | null;
}

/** How the check of a runner ended. */
export interface CheckResult {
  readonly exitCode: number;
  readonly seconds: number;
}

/** What a runner has of the race. */
export interface RunnerOptions {
  readonly surroundings: Surroundings;
  /** The end of the whole race from outside. */
  readonly ending: Ending;
  readonly check?: string;
  readonly log: (message: string) => void;
}

/** Runs one turn in a worktree, and the check when it has ended. Never rejects for what the agent did. */
export async function runInWorktree(
  { agent, flags }: RunnerFlags,
  place: OpenSessionWorktree,
  options: RunnerOptions,
): Promise<RunnerResult> {
  const { ending: race, check, log } = options;
  const { name: id, path } = place.worktree;
  const started = performance.now();
  const outcome = await turnOf(flags, place, options);
  const seconds = secondsSince(started);
  const { files, additions, deletions } = await changesOf(place, options);
  const checked =
    check === undefined || race.begun.aborted
      ? null
      : await runCheck(check, { place, race, timeoutMs: flags.timeoutMs, log });
  return {
    id,
    agent,
    worktree: id,
    path,
    exitCode: outcome.exitStatus,
    stopReason: outcome.stopReason ?? null,
    ...(outcome.error !== undefined && { error: outcome.error }),
    seconds,
    usage: outcome.usage ?? null,
    files,
    additions,
    deletions,
    check: checked,
  };
}

/** One that cannot be read has none, which is said: the other runners go on. */
async function changesOf(
  { record }: OpenSessionWorktree,
  { surroundings, log }: RunnerOptions,
): Promise<Pick<RunnerResult, 'files' | 'additions' | 'deletions'>> {
  try {
    return await worktreeState(record, { stateFolder: stateFolder(surroundings.env) });
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    log(`its changes are not known: ${error.message}`);
    return { files: 0, additions: 0, deletions: 0 };
  }
}

async function turnOf(
  flags: RunnerFlags['flags'],
  place: OpenSessionWorktree,
  { surroundings, ending: race, log }: RunnerOptions,
): Promise<Outcome> {
  const ending = new Ending();
  const begin = (): void => {
    ending.begin(race.cause ?? new CliError('interrupted', 'interrupted'));
  };
  const hurry = (): void => {
    ending.hurry();
  };
  race.begun.addEventListener('abort', begin);
  race.hurried.addEventListener('abort', hurry);
  if (race.begun.aborted) begin();
  const sink = new RunnerSink(log);
  try {
    const result = await takeTurn(flags, {
      surroundings,
      ending,
      output: sink.output,
      sink,
      place,
      onStore: () => undefined,
      onAgent: () => undefined,
    });
    return ending.cause === undefined
      ? outcomeOfTurn(result, sink.wasUnanswered)
      : outcomeOfEnding(ending.cause, result);
  } catch (error) {
    return ending.cause === undefined ? outcomeOfError(error) : outcomeOfEnding(ending.cause, undefined);
  } finally {
    race.begun.removeEventListener('abort', begin);
    race.hurried.removeEventListener('abort', hurry);
  }
}

/** Takes the events of a runner: they are in its event log, and only what is odd is shown. */
class RunnerSink implements EventSink {
  readonly output: Output;
  wasUnanswered = false;

  constructor(log: (message: string) => void) {
    this.output = {
      session: () => undefined,
      event: (event) => {
        if (event.type === 'diagnostic' && event.level !== 'info') log(`${event.code}: ${event.message}`);
        return undefined;
      },
      makeRoom: () => Promise.resolve(),
      stop: () => Promise.resolve(),
    };
  }

  introduce(): void {
    // The table names the agents as they were typed.
  }

  take(event: HostEvent): undefined {
    if ((event.type === 'permission' || event.type === 'elicitation') && event.by === 'nobody') {
      this.wasUnanswered = true;
    }
    if (event.type === 'diagnostic') void this.output.event(event);
  }
}

interface CheckOptions {
  readonly place: OpenSessionWorktree;
  readonly race: Ending;
  readonly timeoutMs: number | undefined;
  readonly log: (message: string) => void;
}

async function runCheck(
  command: string,
  { place, race, timeoutMs, log }: CheckOptions,
): Promise<CheckResult> {
  const started = performance.now();
  const result = await runCommand({
    command,
    shell: true,
    cwd: place.cwd,
    signal: race.begun,
    ...(timeoutMs !== undefined && { timeoutMs }),
  }).catch((error: unknown) => {
    // The agent may have removed the folder.
    if (!(error instanceof WorkspaceError)) throw error;
    log(`the check did not start: ${error.message}`);
    return undefined;
  });
  if (result === undefined) return { exitCode: exitStatus.failed, seconds: secondsSince(started) };
  const { status, output, ended } = result;
  const exitCode = ended === 'timeout' ? exitStatus.timeout : (status.exitCode ?? exitStatus.interrupted);
  if (exitCode !== 0) {
    const last = output.trimEnd().split('\n').at(-1) ?? '';
    log(`the check ended with ${String(exitCode)}${last === '' ? '' : `: ${last}`}`);
  }
  return { exitCode, seconds: secondsSince(started) };
}

function secondsSince(started: number): number {
  return Math.round(performance.now() - started) / 1000;
}
