import { exitStatus } from '../exit-status.ts';

/** Displayed lines of standard error. */
const maxLines = 20;

/**
 * What an agent wrote to standard error before it failed, as lines that cannot be taken for our own. Where it did not fail, and only
 * refused, wants a sign-in or was ended, its log is no cause: there is none then.
 */
export function toLastWords(stderr: string, status: number): string[] {
  if (status !== exitStatus.failed && status !== exitStatus.timeout) return [];
  const lines = stderr.trimEnd().split('\n');
  if (lines.length === 1 && lines[0] === '') return [];
  return ["the agent's last lines on standard error:", ...lines.slice(-maxLines).map((line) => `| ${line}`)];
}
