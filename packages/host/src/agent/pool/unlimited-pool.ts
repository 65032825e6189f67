import type { AgentPool, AgentSlot } from './agent-pool.ts';

/** Creates a pool without a limit. */
export function unlimitedPool(): AgentPool {
  return {
    acquire: (_user, { signal }) => {
      signal.throwIfAborted();
      return Promise.resolve(place);
    },
  };
}

const place: AgentSlot = {
  idle() {
    // The slot is not needed.
  },
  pause() {
    // No session waits.
  },
  use: () => true,
  release() {
    // There is room anyway.
  },
};
