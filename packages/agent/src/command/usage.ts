import type { Command } from './command.ts';

/** `/usage`: shows how much of the model's context the session uses, and its cost. */
export const usageCommand: Command = {
  name: 'usage',
  description: 'Show how much of the context window is used',
  run: (_argument, { conversation }) => {
    const { usedTokens, turns, costUsd } = conversation;
    const { current, contextSize } = conversation.model;
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
