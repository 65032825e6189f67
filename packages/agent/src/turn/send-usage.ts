import type { Turn } from './turn.ts';

/** Sends the client the used part of the model's context and the cost of the session, if known. */
export async function sendUsage({ session, client }: Turn): Promise<void> {
  const { contextSize } = session.model;
  const { usedTokens: used, costUsd } = session;
  await client.update({
    sessionUpdate: 'usage_update',
    used,
    size: contextSize,
    ...(costUsd !== undefined && { cost: { amount: costUsd, currency: 'USD' } }),
  });
}
