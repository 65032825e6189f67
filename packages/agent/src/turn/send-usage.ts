import type { Turn } from './turn.ts';

/** Sends the client the used part of the model's context and the cost of the session, if known. */
export async function sendUsage({ conversation, client }: Turn): Promise<void> {
  const { contextSize } = conversation.model;
  const { usedTokens: used, costUsd } = conversation;
  await client.update({
    sessionUpdate: 'usage_update',
    used,
    size: contextSize,
    ...(costUsd !== undefined && { cost: { amount: costUsd, currency: 'USD' } }),
  });
}
