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
    .summary('play a recording as if it were the agent')
    .description('The agent of a recording, as an ACP agent on standard input and output.')
    .usage('[options] FILE')
    .argument('<file>', 'a file of --record, or bare ACP messages one a line')
    .option('--speed <speed>', 'original, instant, or how many times as fast; original unless given')
    .option('--strict', 'compare what the client says too, and end with status 1 where it departs')
    .addHelpText('after', replayNotes)
    .action(async (file: string, flags: Omit<TypedReplayFlags, 'file'>) => {
      const { replay } = await import('./replay.ts');
      finish(await replay({ ...flags, file }, surroundings));
    });
  root
    .command('inspect')
    .summary('read a recording')
    .description(
      'Prints what a recording holds: each message, when it went which way, and how long its answer took.',
    )
    .usage('[options] FILE')
    .argument('<file>', 'a file of --record, or bare ACP messages one a line; "-" reads standard input')
    .option('--session <id>', 'only what belongs to this session; a part of its id is enough')
    .option('--method <name>', 'only this method and its answers; session/* is all that begin so')
    .option('--errors', 'only what went wrong')
    .option('--json', 'one JSON list, with each message whole')
    .option('--no-body', 'without what the messages say')
    .addHelpText('after', inspectNotes)
    .action(async (file: string, flags: Omit<TypedInspectFlags, 'file'>) => {
      const { inspect } = await import('./inspect.ts');
      finish(await inspect({ ...flags, file }, surroundings));
    });
}

const replayNotes = `
Requests are answered as they were when it was recorded, by method, session and order; ids, sessions and the folder may
be others. What the recording does not have is refused, and reported on standard error.

Examples:
  parley run --record talk.jsonl "search TODO"
  parley run "search TODO" -- parley replay talk.jsonl
  parley chat -- parley replay --speed 4 talk.jsonl
  parley run --approve reads "search TODO" -- parley replay --strict --speed instant talk.jsonl`;

const inspectNotes = `
→ is to the agent, ← from it. Times are seconds from the first message.

Examples:
  parley run --record talk.jsonl "search TODO"
  parley inspect talk.jsonl --no-body
  parley inspect talk.jsonl --errors
  parley inspect talk.jsonl --method 'fs/*' --json | jq '.[].latencyMs'`;
