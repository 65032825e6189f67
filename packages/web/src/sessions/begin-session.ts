import type { ContentBlock } from '@parley/acp';
import type { HubClient } from '../hub/hub-client.ts';

/** Sends the first prompt of a session; settles as soon as it has arrived, which is long before its turn has ended. */
export async function sendFirstPrompt(
  client: Pick<HubClient, 'prompt' | 'state'>,
  key: string,
  blocks: readonly ContentBlock[],
): Promise<void> {
  let stop = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    const look = (): void => {
      const session = client.state.get().sessions.get(key);
      if (session === undefined) return;
      const { state, queue } = session;
      if (state === 'running' || state === 'waiting' || state === 'stopping' || queue.length > 0) resolve();
    };
    stop = client.state.subscribe(look);
    look();
  });
  const ended = client.prompt(key, blocks);
  // The session's events show how the turn ends.
  ended.catch(() => {});
  try {
    await Promise.race([arrived, ended]);
  } finally {
    stop();
  }
}
