import type { Command } from 'commander';
import type { Surroundings } from '../surroundings.ts';
import type { TypedInspectFlags } from './inspect-flags.ts';
import type { TypedReplayFlags } from './replay.ts';

/** Adds the commands that read recordings. */
export function addRecordingCommands(
  root: Command,
  options: { readonly surroundings: Surroundings; readonly finish: (status: number) => void },
): void {
  const { surroundings, finish } = options;
  root
    .command('replay')
    .summary('replay a recording as an agent')
    .description('Replays a recording as an ACP agent on standard input and output, without a model.')
    .usage('[options] FILE')
    .argument('<FILE>', 'a file written by --record, or plain ACP messages, one per line')
    .option('--speed <speed>', 'original, instant, or how many times faster, such as 4 (default: original)')
    .option(
      '--strict',
      "compare the client's messages with the recording, and exit with 1 at the first difference",
    )
    .addHelpText('after', replayNotes)
    .action(async (file: string, flags: Omit<TypedReplayFlags, 'file'>) => {
      const { replay } = await import('./replay.ts');
      finish(await replay({ ...flags, file }, surroundings));
    });
  root
    .command('inspect')
    .summary('print the messages of a recording')
    .description('Prints the messages of a recording, with time, direction and response time.')
    .usage('[options] FILE')
    .argument(
      '<FILE>',
      'a file written by --record, or plain ACP messages, one per line; "-" reads standard input',
    )
    .option('--session <id>', 'only messages of this session; part of its id is enough')
    .option(
      '--method <name>',
      'only this method and its responses; session/* selects all that start with session/',
    )
    .option('--errors', 'only errors')
    .option('--json', 'print one JSON list with complete messages')
    .option('--no-body', 'leave out the content of messages')
    .addHelpText('after', inspectNotes)
    .action(async (file: string, flags: Omit<TypedInspectFlags, 'file'>) => {
      const { inspect } = await import('./inspect.ts');
      finish(await inspect({ ...flags, file }, surroundings));
    });
}

const replayNotes = `
Each request is answered with the recorded response of the same method, session
and position; ids and folders may differ. Requests that the recording does not
contain are rejected and reported on standard error.

Examples:
  parley run --record talk.jsonl "search TODO"
  parley run "search TODO" -- parley replay talk.jsonl
  parley chat -- parley replay --speed 4 talk.jsonl
  parley run --approve reads "search TODO" -- parley replay --strict --speed instant talk.jsonl`;

const inspectNotes = `
→ is a message to the agent, ← from the agent. Times are seconds since the first
message.

Examples:
  parley run --record talk.jsonl "search TODO"
  parley inspect talk.jsonl --no-body
  parley inspect talk.jsonl --errors
  parley inspect talk.jsonl --method 'fs/*' --json | jq '.[].latencyMs'`;
