import path from 'node:path';
import { replayFile } from '@parley/conformance';
import { RecordingError } from '@parley/recording';
import { streamTransport } from '@parley/wire/node';
import { CliError } from '../cli-error.ts';
import { exitStatus } from '../exit-status.ts';
import { toFileReason } from '../input-file.ts';
import type { Surroundings } from '../surroundings.ts';

/** The flags of `parley replay`, as typed. */
export interface TypedReplayFlags {
  readonly file: string;
  readonly speed?: string;
  readonly strict?: boolean;
}

/** `parley replay`: the agent of a recording, on standard input and output. Gives the exit status. */
export async function replay(typed: TypedReplayFlags, surroundings: Surroundings): Promise<number> {
  const { stdin, stdout, stderr, cwd } = surroundings;
  const { file, strict = false } = typed;
  const speed = parseSpeed(typed.speed ?? 'original');
  let departures = 0;
  const { ended } = await replayFile(
    path.resolve(cwd, file),
    streamTransport({ input: stdin, output: stdout }),
    {
      speed,
      strict,
      onDeparture(what) {
        departures += 1;
        stderr.write(`replay: ${what}\n`);
      },
    },
  ).catch((error: unknown) => {
    const isOurs = error instanceof RecordingError;
    const why = isOurs ? error.message : toFileReason(error);
    throw new CliError('usage', `replay ${file}: ${why}`, { cause: error });
  });
  await ended;
  return strict && departures > 0 ? exitStatus.failed : exitStatus.done;
}

/** The speed, as a multiple of the recorded speed. */
function parseSpeed(typed: string): number {
  if (typed === 'original') return 1;
  if (typed === 'instant') return Infinity;
  const speed = /^\d+(?:\.\d+)?$/u.test(typed) ? Number(typed) : 0;
  if (speed > 0) return speed;
  throw new CliError('usage', `--speed ${typed}: expected original, instant, or how many times as fast`);
}
