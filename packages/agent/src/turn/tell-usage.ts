import type { Turn } from './turn.ts';

/** Tells the client how full the window of the model is. */
export async function tellUsage({ session, client }: Turn): Promise<void> {
  const { contextSize } = session.model;
  await client.update({ sessionUpdate: 'usage_update', used: session.usedTokens, size: contextSize });
}
