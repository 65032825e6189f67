/** How many lines are shown. */
const maxLines = 20;

/** What an agent wrote to standard error before it failed, as lines that cannot be taken for our own. */
export function toLastWords(stderr: string): string[] {
  const lines = stderr.trimEnd().split('\n');
  if (lines.length === 1 && lines[0] === '') return [];
  return ["the agent's last lines on standard error:", ...lines.slice(-maxLines).map((line) => `| ${line}`)];
}
