import { HostError } from '@parley/host';
import { outcomeOfError } from '../conversation/outcome.ts';
import { toLastWords } from '../output/last-words.ts';

/** The error, and the last output of the agent if it has ended. */
export function failureLines(error: unknown, lastWords = ''): readonly string[] {
  const { error: failure, exitStatus } = outcomeOfError(error);
  const stderr = (error instanceof HostError ? error.stderr : undefined) ?? lastWords;
  return [failure?.message ?? String(error), ...toLastWords(stderr, exitStatus)];
}
