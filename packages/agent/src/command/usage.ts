import type { Command } from './command.ts';

/** `/usage`: how much of the model's window the session takes, and what it cost. */
export const usageCommand: Command = {
  name: 'usage',
  description: 'Show how full the window of the model is',
  run: (_argument, { session }) => {
    const { usedTokens, turns, costUsd } = session;
    const { current, contextSize } = session.model;
    const percent = Math.round((100 * usedTokens) / contextSize);
    return [
      `- Window: about ${grouped(usedTokens)} of ${grouped(contextSize)} tokens (${String(percent)} %)`,
      ...(costUsd === undefined ? [] : [`- Cost: $${costUsd.toFixed(4)}`]),
      `- Turns: ${grouped(turns)}`,
      `- Model: \`${current.id}\``,
    ].join('\n');
  },
};

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
