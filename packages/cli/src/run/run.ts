import { HostError } from '@parley/host';
import type { CliError } from '../cli-error.ts';
import { outcomeOfError } from '../conversation/outcome.ts';
import { createJsonOutput } from '../output/json.ts';
import { createWriter } from '../output/writer.ts';
import type { Surroundings } from '../surroundings.ts';
import { parseFormat, parseRunFlags, type TypedRunFlags } from './flags.ts';
import { runToEnd } from './run-to-end.ts';
import { takeTurn } from './take-turn.ts';

/** `parley run`: one prompt, one turn. Gives the exit status. */
export function run(typed: TypedRunFlags, surroundings: Surroundings): Promise<number> {
  const format = parseFormat(typed.format);
  const words = {
    refusal: () => 'the agent answered',
    howToAnswer: 'use --approve to allow it in advance',
  };
  return runToEnd({ format, surroundings, words }, async (context) => {
    const flags = parseRunFlags(typed, surroundings.cwd);
    try {
      return await takeTurn(flags, {
        surroundings,
        ...context,
        onAgent: (connection) => {
          context.onLastWords(() => connection.stderrTail());
        },
      });
    } catch (error) {
      if (error instanceof HostError && error.stderr !== undefined) {
        const { stderr } = error;
        context.onLastWords(() => stderr);
      }
      throw error;
    }
  });
}

/** Ends a run whose flags could not be read: a reader of the events still gets their end. */
export async function refuseRun(error: CliError, { stdout }: Surroundings): Promise<void> {
  await createJsonOutput(createWriter(stdout)).stop(outcomeOfError(error));
}
