import { setTimeout as delay } from 'node:timers/promises';
import type { EventStore, PromptResult } from '@parley/host';
import { CliError } from '../cli-error.ts';
import { Ending } from '../conversation/ending.ts';
import { outcomeOfEnding, outcomeOfError, outcomeOfTurn } from '../conversation/outcome.ts';
import { exitStatus } from '../exit-status.ts';
import { createOutput } from '../output/create-output.ts';
import type { Numbering } from '../output/json.ts';
import { toLastWords } from '../output/last-words.ts';
import type { Outcome, Output } from '../output/output.ts';
import { toPlainText } from '../output/plain.ts';
import { createWriter } from '../output/writer.ts';
import type { Surroundings } from '../surroundings.ts';
import { createEventSink, type EventSink } from './event-sink.ts';
import type { Format } from './flags.ts';
import { listenForSignals } from './signals.ts';

/** How long the last output waits for its reader after a signal. */
const lastWordsMs = 500;

/** What a run is printed as. */
export interface RunToEndOptions {
  readonly format: Format;
  readonly surroundings: Surroundings;
  /** @default lines are numbered from 1 */
  readonly numbering?: Partial<Numbering>;
  readonly words: RunWords;
}

/** What is said of a run that did not end well. */
export interface RunWords {
  /** What a request was refused by, as the beginning of a sentence: `the agent answered`. */
  readonly refusal: () => string;
  /** What a user can do so that a question is answered. */
  readonly howToAnswer: string;
}

/** What a run has while it runs. */
export interface RunContext {
  readonly ending: Ending;
  readonly output: Output;
  readonly sink: EventSink;
  /** Called with what stores the events, before there is one. */
  readonly onStore: (store: EventStore) => void;
  /** Called with what gives the end of the agent's standard error. */
  readonly onLastWords: (lastWords: () => string) => void;
}

/**
 * Runs a turn, prints it, and says how it ended. Gives the exit status.
 *
 * @param attempt Without a result, there is no end of a turn to print, and the status is 0.
 */
export async function runToEnd(
  { format, surroundings, numbering, words }: RunToEndOptions,
  attempt: (context: RunContext) => Promise<PromptResult | undefined>,
): Promise<number> {
  const log = (message: string): void => {
    surroundings.stderr.write(`parley: ${toPlainText(message)}\n`);
  };
  const ending = new Ending();
  let store: EventStore | undefined;
  // What is printed is in the session's log: killing this process loses nothing that was shown.
  const writer = createWriter(surroundings.stdout, {
    impatience: ending.begun,
    before: () => store?.stored('soon'),
  });
  const output = createOutput(format, surroundings, writer, log, numbering);
  using _signals = listenForSignals(ending);
  writer.closed.addEventListener('abort', () => {
    ending.begin(new CliError('output-closed', 'the reader closed the output'));
  });

  const sink = createEventSink({ output, writer, ending });
  let lastWords = (): string => '';
  const context: RunContext = {
    ending,
    output,
    sink,
    onStore: (opened) => {
      store = opened;
    },
    onLastWords: (end) => {
      lastWords = end;
    },
  };

  const outcome = await attempt(context).then(
    (result) => {
      if (ending.cause !== undefined) return outcomeOfEnding(ending.cause, result);
      return result === undefined ? undefined : outcomeOfTurn(result, sink.wasUnanswered);
    },
    (error: unknown) =>
      ending.cause === undefined ? outcomeOfError(error) : outcomeOfEnding(ending.cause, undefined),
  );
  if (outcome === undefined) {
    await Promise.race([writer.flush(), waitForEnding(ending)]);
    return exitStatus.done;
  }
  await Promise.race([output.stop(outcome), waitForEnding(ending)]);
  if (ending.cause?.code !== 'output-closed') {
    const { blockedHosts, wasOnlyAsked } = sink;
    const end = { words, lastWords: lastWords(), blocked: blockedHosts, wasOnlyAsked };
    for (const line of linesAbout(outcome, ending, end)) log(line);
  }
  return outcome.exitStatus;
}

/** Settles some time after the run was ended from outside: a stuck reader does not delay it then. */
async function waitForEnding(ending: Ending): Promise<void> {
  await ending.whenBegun;
  await delay(lastWordsMs, undefined, { ref: false });
}

/** What standard error says about a run that did not end well. */
function linesAbout(outcome: Outcome, { cause }: Ending, end: EndOfRun): string[] {
  const { error, exitStatus: status } = outcome;
  if (status === exitStatus.done) return [];
  const line = cause?.message ?? lineAbout(outcome, end);
  return error === undefined ? [line] : [line, ...toLastWords(end.lastWords, status)];
}

interface EndOfRun {
  readonly words: RunWords;
  readonly lastWords: string;
  /** The hosts that the sandbox blocked. */
  readonly blocked: readonly string[];
  /** Only questions of the agent had no answer. */
  readonly wasOnlyAsked: boolean;
}

function lineAbout(
  { error, stopReason, exitStatus: status }: Outcome,
  { words: { refusal, howToAnswer }, blocked, wasOnlyAsked }: EndOfRun,
): string {
  if (error !== undefined) {
    return typeof error.code === 'number'
      ? `${refusal()} with error ${String(error.code)}: ${error.message}`
      : error.message;
  }
  if (status === exitStatus.unanswered && blocked.length > 0) {
    const [hosts, them] = [blocked.join(', '), blocked.length === 1 ? 'it' : 'them'];
    return `the sandbox blocked ${hosts}; to allow ${them}, add ${them} to "network" of "sandbox" in the configuration`;
  }
  if (status === exitStatus.unanswered && wasOnlyAsked) {
    return 'the agent asked a question, but input is not interactive; run it on a terminal to answer';
  }
  if (status === exitStatus.unanswered) {
    return `approval was needed, but input is not interactive; ${howToAnswer}`;
  }
  return `the turn ended with "${stopReason ?? ''}"`;
}
