import { setTimeout as delay } from 'node:timers/promises';
import { HostError, type EventStore, type PromptResult } from '@parley/host';
import { CliError } from '../cli-error.ts';
import { Ending } from '../conversation/ending.ts';
import { outcomeOfEnding, outcomeOfError, outcomeOfTurn } from '../conversation/outcome.ts';
import { exitStatus } from '../exit-status.ts';
import { createOutput } from '../output/create-output.ts';
import { toLastWords } from '../output/last-words.ts';
import type { Outcome } from '../output/output.ts';
import { toPlainText } from '../output/plain.ts';
import { createWriter } from '../output/writer.ts';
import type { Surroundings } from '../surroundings.ts';
import { createEventSink } from './event-sink.ts';
import { parseFormat, parseRunFlags, type TypedRunFlags } from './flags.ts';
import { listenForSignals } from './signals.ts';
import { takeTurn } from './take-turn.ts';

/** How long the last words may wait for a reader once the run was ended from outside. */
const lastWordsMs = 500;

/** `parley run`: one prompt, one turn. Gives the exit status. */
export async function run(typed: TypedRunFlags, surroundings: Surroundings): Promise<number> {
  const format = parseFormat(typed.format);
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
  const output = createOutput(format, surroundings, writer, log);
  using _signals = listenForSignals(ending);
  writer.closed.addEventListener('abort', () => {
    ending.begin(new CliError('output-closed', 'nobody reads the output any more'));
  });

  const sink = createEventSink({ output, writer, ending });
  let lastWords = (): string => '';

  async function attempt(): Promise<PromptResult> {
    const flags = parseRunFlags(typed, surroundings.cwd);
    return takeTurn(flags, {
      surroundings,
      ending,
      output,
      sink,
      onStore: (opened) => {
        store = opened;
      },
      onAgent: (handle) => {
        lastWords = () => handle.stderrTail();
      },
    });
  }

  const outcome = await attempt().then(
    (result) =>
      ending.cause === undefined
        ? outcomeOfTurn(result, sink.wasUnanswered)
        : outcomeOfEnding(ending.cause, result),
    (error: unknown) => {
      if (error instanceof HostError && error.stderr !== undefined) lastWords = () => error.stderr ?? '';
      return ending.cause === undefined ? outcomeOfError(error) : outcomeOfEnding(ending.cause, undefined);
    },
  );
  await Promise.race([output.stop(outcome), giveUp(ending)]);
  if (ending.cause?.code !== 'output-closed') {
    for (const line of linesAbout(outcome, ending, lastWords())) log(line);
  }
  return outcome.exitStatus;
}

/** Settles some time after the run was ended from outside: a reader that is stuck holds nobody up then. */
async function giveUp(ending: Ending): Promise<void> {
  await ending.whenBegun;
  await delay(lastWordsMs, undefined, { ref: false });
}

/** What standard error says about a run that did not end well. */
function linesAbout(outcome: Outcome, { cause }: Ending, lastWords: string): string[] {
  const { error, exitStatus: status } = outcome;
  if (status === exitStatus.done) return [];
  const line = cause?.message ?? lineAbout(outcome);
  return error === undefined ? [line] : [line, ...toLastWords(lastWords, status)];
}

function lineAbout({ error, stopReason, exitStatus: status }: Outcome): string {
  if (error !== undefined) {
    return typeof error.code === 'number'
      ? `the agent answered with error ${String(error.code)}: ${error.message}`
      : error.message;
  }
  if (status === exitStatus.unanswered) {
    return 'something needed a person, and nobody was there; --approve allows more beforehand';
  }
  return `the turn ended with "${stopReason ?? ''}"`;
}
