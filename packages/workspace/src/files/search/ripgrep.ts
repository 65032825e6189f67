import { WorkspaceError, checkNotAborted } from '../../error.ts';
import { createOutputBuffer } from '../../output/output-buffer.ts';
import type { ExitStatus } from '../../process/process-group.ts';
import { startProcess } from '../../process/start-process.ts';
import { boundedRecords } from './bounded-records.ts';
import { type RipgrepMatch, parseRipgrepEvent } from './ripgrep-event.ts';

/** What ripgrep reads: the files below its working directory, or an open file as its input. */
export interface RipgrepTarget {
  readonly cwd: string;
  readonly input: 'ignore' | { readonly fd: number };
}

/** Options of a search with ripgrep. */
export interface RipgrepQuery {
  readonly pattern: string;
  /** The pattern is plain text, not a regular expression. */
  readonly literal: boolean;
  readonly target: RipgrepTarget;
  readonly signal: AbortSignal | undefined;
}

/** Characters of a pattern. */
const mostPatternCharacters = 64 * 1024;
/** Size of a match in ripgrep's JSON; larger ones are omitted: 4 MiB. */
const mostLineBytes = 4 * 1024 * 1024;

/** A result of a search. `overlong` is a match in a line that is too long to read. */
export type RipgrepFinding = RipgrepMatch | 'overlong' | 'binary';

/** Runs ripgrep and passes on its results, in the order of the paths, until `take` returns that it has enough. */
export async function runRipgrep(
  query: RipgrepQuery,
  take: (finding: RipgrepFinding) => 'more' | 'enough',
): Promise<void> {
  checkPattern(query.pattern);
  const lines = readRipgrep({
    action: 'search',
    args: ripgrepArguments(query),
    target: query.target,
    signal: query.signal,
    separator: 0x0a,
    mostBytes: mostLineBytes,
    // Without a summary ripgrep did not get to search.
    isComplete: () => false,
  });
  for await (const line of lines) {
    const event = line === undefined ? 'overlong' : parseRipgrepEvent(line);
    if (event === 'summary') return;
    if (event !== undefined && take(event) === 'enough') return;
  }
}

/** How to start ripgrep and parse its output. */
export interface RipgrepRun {
  /** What is tried, for messages. */
  readonly action: string;
  readonly args: readonly string[];
  readonly target: RipgrepTarget;
  readonly signal: AbortSignal | undefined;
  /** The byte between two records. */
  readonly separator: number;
  /** Records that are longer come as undefined. */
  readonly mostBytes: number;
  /** Whether the search succeeded, after all output was read. */
  isComplete(status: ExitStatus): boolean;
}

/** Yields ripgrep's output record by record; ends it when the reader stops. */
export async function* readRipgrep(run: RipgrepRun): AsyncGenerator<string | undefined, void> {
  const { action, signal, target } = run;
  checkNotAborted(signal, action);
  await using rg = await startProcess({
    command: await ripgrepPath(),
    args: [...fixedArguments, ...run.args],
    cwd: target.cwd,
    input: target.input,
  });
  const errors = createOutputBuffer({ limitBytes: 4096 });
  rg.stderr.on('data', (bytes: Buffer) => errors.append(bytes));
  const kill = (): void => rg.kill();
  signal?.addEventListener('abort', kill, { once: true });
  try {
    yield* boundedRecords(rg.stdout, run.mostBytes, run.separator);
    checkNotAborted(signal, action);
    const status = await rg.exited;
    if (!run.isComplete(status)) throw failure(status, errors.text(), action);
  } finally {
    signal?.removeEventListener('abort', kill);
    rg.kill();
  }
}

function ripgrepArguments(query: RipgrepQuery): readonly string[] {
  const where = query.target.input === 'ignore' ? './' : '-';
  const kind = query.literal ? ['--fixed-strings'] : [];
  return ['--json', ...kind, '--regexp', query.pattern, '--', where];
}

const fixedArguments: readonly string[] = [
  '--no-config',
  '--no-messages',
  '--sort=path',
  // What git ignores is left out, hidden files are not, but for git's own.
  '--hidden',
  '--glob=!.git',
  '--no-ignore-global',
];

function checkPattern(pattern: string): void {
  if (pattern.includes('\0')) throw invalidPattern('contains a NUL byte');
  if (pattern.length > mostPatternCharacters) throw invalidPattern('too long');
}

/** The program comes as an optional dependency per platform, which may be missing. */
async function ripgrepPath(): Promise<string> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch (error) {
    throw new WorkspaceError('not-started', 'search: ripgrep is not installed for this platform', {
      cause: error,
    });
  }
}

/** It could not read the pattern, or it was killed. */
function failure(status: ExitStatus, errors: string, action: string): WorkspaceError {
  if (status.exitCode === 2) return invalidPattern(errors.trim());
  return new WorkspaceError(
    'failed',
    `${action}: ripgrep ended with ${status.exitCode ?? status.signal}: ${errors.trim()}`,
  );
}

function invalidPattern(reason: string): WorkspaceError {
  return new WorkspaceError('invalid-pattern', `search: ${reason}`);
}
