import type { AgentPool, AgentSlot } from './agent-pool.ts';

/** A pool that has room for everybody, and stops nothing. */
export function unlimitedPool(): AgentPool {
  return {
    acquire: (_tenant, { signal }) => {
      signal.throwIfAborted();
      return Promise.resolve(place);
    },
  };
}

const place: AgentSlot = {
  idle() {
    // Nobody needs the room.
  },
  pause() {
    // Nor is anybody kept waiting.
  },
  use: () => true,
  release() {
    // There is room anyway.
  },
};
