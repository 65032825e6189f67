import { HostError } from '@parley/host';
import { outcomeOfError } from '../conversation/outcome.ts';
import { toLastWords } from '../output/last-words.ts';

/** What went wrong, and what the agent wrote last where it is gone. */
export function failureLines(error: unknown, lastWords = ''): readonly string[] {
  const { error: failure, exitStatus } = outcomeOfError(error);
  const stderr = (error instanceof HostError ? error.stderr : undefined) ?? lastWords;
  return [failure?.message ?? String(error), ...toLastWords(stderr, exitStatus)];
}
