import os from 'node:os';
import { runCommand, WorkspaceError, type CommandResult } from '@parley/workspace';
import { storeRace, worktreeState, type RaceEntry, type WorktreeRecord } from '@parley/workspace/worktree';
import { HostError } from '../host-error.ts';
import { holdAlone } from '../sandbox/hold-agent.ts';
import { loadEngines } from '../sandbox/open-agent-sandbox.ts';
import type { SandboxSettings } from '../sandbox/sandbox-settings.ts';

/** How the turn of a runner ended. */
export interface RunnerTurn {
  /** @default it ran in the hub, where no command ends */
  readonly exitCode?: number;
  readonly stopReason?: string;
  /** Why it failed. */
  readonly error?: string;
  /** As the agent reported it. */
  readonly usage?: unknown;
  /** The sandbox of its agent. The check has the same one, because it runs files that the agent wrote. @default none */
  readonly sandbox?: SandboxSettings;
}

/** What one runner of a race does, and where. */
export interface RaceRunnerOptions {
  readonly race: Pick<RaceEntry, 'id' | 'agent' | 'prompt' | 'command'>;
  readonly record: WorktreeRecord;
  readonly stateFolder: string;
  /** The folder in the worktree that the session and the check are in. */
  readonly cwd: string;
  /** Sends the prompt; settles when the turn has ended, however it did. */
  readonly takeTurn: () => Promise<RunnerTurn>;
  /** Aborted when the race is ended from outside: no check begins, and one that runs ends. */
  readonly signal: AbortSignal;
  /** Returns the exit status of a check that ends with the race. @default 130, as after Ctrl-C */
  readonly endedStatus?: () => number;
  /** Time limit of the check. @default none */
  readonly checkTimeoutMs?: number;
  /** Receives what the user should know. */
  readonly log: (message: string) => void;
  /** What is stored of the runner is another. */
  readonly onProgress?: () => void;
}

/** A runner whose turn has ended. */
export type EndedRunner = RaceEntry &
  Required<Pick<RaceEntry, 'seconds' | 'files' | 'additions' | 'deletions'>>;

/**
 * Runs one turn in a worktree, then the check. Each step is stored in the record of the worktree, so that a killed
 * runner is listed with its state so far. Failures of the agent do not reject.
 */
export async function runRaceRunner(options: RaceRunnerOptions): Promise<EndedRunner> {
  const { race, takeTurn, signal, log } = options;
  const { command } = race;
  const begun: RaceEntry = { ...race, startedAt: Date.now(), state: 'running' };
  await store(begun, options);
  const started = performance.now();
  const { exitCode, stopReason, error, usage, sandbox } = await takeTurn();
  const hasCheck = command !== undefined && !signal.aborted;
  const turned: EndedRunner = {
    ...begun,
    state: hasCheck ? 'checking' : 'ended',
    ...(exitCode !== undefined && { exitCode }),
    ...(stopReason !== undefined && { stopReason }),
    ...(error !== undefined && { error }),
    seconds: secondsSince(started),
    ...(usage !== undefined && { usage: numbersIn(usage) }),
    ...(await changesOf(options)),
  };
  await store(turned, options);
  if (!hasCheck) return turned;
  const check = await runCheck(command, sandbox, options);
  if (check.exitCode !== 0) {
    const last = check.output.trimEnd().split('\n').at(-1) ?? '';
    log(`the check ended with ${String(check.exitCode)}${last === '' ? '' : `: ${last}`}`);
  }
  const ended: EndedRunner = { ...turned, state: 'ended', check };
  await store(ended, options);
  return ended;
}

/** A record that cannot be written ends no runner. */
async function store(
  entry: RaceEntry,
  { record, log, onProgress }: Pick<RaceRunnerOptions, 'record' | 'log' | 'onProgress'>,
): Promise<void> {
  try {
    await storeRace(record, entry);
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    log(`its result could not be stored: ${error.message}`);
  }
  onProgress?.();
}

/** The changes in the worktree. If it cannot be read, a message says so and the other runners continue. */
async function changesOf({
  record,
  stateFolder,
  log,
}: RaceRunnerOptions): Promise<Required<Pick<RaceEntry, 'files' | 'additions' | 'deletions'>>> {
  try {
    const { files, additions, deletions } = await worktreeState(record, { stateFolder });
    return { files, additions, deletions };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    log(`its changes are not known: ${error.message}`);
    return { files: 0, additions: 0, deletions: 0 };
  }
}

async function runCheck(
  command: string,
  sandbox: SandboxSettings | undefined,
  options: RaceRunnerOptions,
): Promise<NonNullable<RaceEntry['check']>> {
  const started = performance.now();
  const result = await runCheckCommand(command, sandbox, options).catch((error: unknown) => {
    // The agent may have removed the folder.
    if (!(error instanceof WorkspaceError || error instanceof HostError)) throw error;
    options.log(`the check did not start: ${error.message}`);
    const status = { exitCode: notStarted, signal: null };
    return { status, output: error.message, truncated: false } satisfies CommandResult;
  });
  const exitCode = exitCodeOf(result, options);
  return { exitCode, seconds: secondsSince(started), output: result.output };
}

function exitCodeOf({ status, ended }: CommandResult, { endedStatus }: RaceRunnerOptions): number {
  if (ended === 'timeout') return timedOut;
  if (ended === 'aborted') return endedStatus?.() ?? interrupted;
  return status.exitCode ?? statusOfSignal(status.signal);
}

/** The status that a shell has for a command that a signal ended. */
function statusOfSignal(signal: string | null): number {
  const [, number = 0] = Object.entries(os.constants.signals).find(([name]) => name === signal) ?? [];
  return 128 + number;
}

async function runCheckCommand(
  command: string,
  settings: SandboxSettings | undefined,
  { cwd, race, signal, checkTimeoutMs }: RaceRunnerOptions,
): Promise<CommandResult> {
  const wanted = { command, shell: true, cwd, input: 'ignore' } as const;
  const limits = { signal, ...(checkTimeoutMs !== undefined && { timeoutMs: checkTimeoutMs }) };
  if (settings === undefined) return await runCommand({ ...wanted, ...limits });
  const shell = { command: '/bin/sh', args: ['-c', command], cwd, env: {} };
  await using alone = await holdAlone(settings, { name: race.agent, ...shell, folders: [cwd] });
  const { runHeld } = await loadEngines();
  const { result, trouble } = await runHeld(alone.sandbox, wanted, limits);
  if (trouble !== undefined) throw new HostError('not-held', trouble);
  return result;
}

/** The exit statuses of a check that did not end by itself; those of `parley run`. */
const notStarted = 1;
const timedOut = 124;
const interrupted = 130;

function numbersIn(usage: unknown): Readonly<Record<string, number>> {
  if (typeof usage !== 'object' || usage === null) return {};
  const fields: readonly (readonly [string, unknown])[] = Object.entries(usage);
  return Object.fromEntries(
    fields.flatMap(([name, value]) => (typeof value === 'number' ? [[name, value] as const] : [])),
  );
}

function secondsSince(started: number): number {
  return Math.round(performance.now() - started) / 1000;
}
