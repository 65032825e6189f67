import { runRaceRunner, type HostEvent, type RaceRunnerOptions, type SandboxSettings } from '@parley/host';
import { CliError } from '../cli-error.ts';
import { stateFolder } from '../configuration/places.ts';
import { sandboxFor } from '../conversation/agent/sandbox-for.ts';
import { Ending } from '../conversation/ending.ts';
import { outcomeOfEnding, outcomeOfError, outcomeOfTurn } from '../conversation/outcome.ts';
import { statusOfError } from '../exit-status.ts';
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
  readonly race: Omit<RaceRunnerOptions['race'], 'agent'>;
  readonly log: (message: string) => void;
}

/** Runs one turn in a worktree, and the check when it has ended. Never rejects for what the agent did. */
export async function runInWorktree(
  { agent, flags }: RunnerFlags,
  place: OpenSessionWorktree,
  options: RunnerOptions,
): Promise<RunnerResult> {
  const { ending, race, surroundings, log } = options;
  const { name: id, path } = place.worktree;
  const { timeoutMs } = flags;
  let outcome: Outcome = { exitStatus: 0 };
  const { seconds, files, additions, deletions, check } = await runRaceRunner({
    race: { ...race, agent },
    record: place.record,
    stateFolder: stateFolder(surroundings.env),
    cwd: place.cwd,
    takeTurn: async () => {
      let sandbox: SandboxSettings | undefined;
      outcome = await turnOf(flags, place, options, (settings) => {
        sandbox = settings;
      });
      const { exitStatus: exitCode, stopReason, error, usage } = outcome;
      return {
        exitCode,
        ...(stopReason !== undefined && { stopReason }),
        ...(error !== undefined && { error: error.message }),
        ...(usage !== undefined && { usage }),
        ...(sandbox !== undefined && { sandbox }),
      };
    },
    signal: ending.begun,
    endedStatus: () => statusOfError(ending.cause?.code ?? 'interrupted'),
    ...(timeoutMs !== undefined && { checkTimeoutMs: timeoutMs }),
    log,
  });
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
    check: check === undefined ? null : { exitCode: check.exitCode, seconds: check.seconds },
  };
}

async function turnOf(
  flags: RunnerFlags['flags'],
  place: OpenSessionWorktree,
  { surroundings, ending: race, log }: RunnerOptions,
  onSandbox: (settings: SandboxSettings | undefined) => void,
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
      onPrepared: async ({ configuration, env, spec, flags: { cwd, sandbox: choice } }) => {
        const wish = { spec, cwd, ...(choice !== undefined && { choice }) };
        onSandbox(await sandboxFor(configuration, env, wish));
      },
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
  readonly wasOnlyAsked = false;
  readonly blockedHosts = [];

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
    // The table names the agents as typed.
  }

  take(event: HostEvent): undefined {
    if ((event.type === 'permission' || event.type === 'elicitation') && event.by === 'nobody') {
      this.wasUnanswered = true;
    }
    if (event.type === 'diagnostic') void this.output.event(event);
  }
}
