import type { Turn } from './turn.ts';

/** Sends the client how full the window of the model is, and what the session cost, where that is known. */
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
