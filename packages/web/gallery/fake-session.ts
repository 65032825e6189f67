import type { HubSession } from '@parley/host/hub';

/** A session that is made up. */
export function fakeSession(known: Partial<HubSession> & { readonly key: string }): HubSession {
  const time = Date.UTC(2026, 10, 22, 9);
  return {
    agent: 'parley',
    cwd: '/home/ada/engine',
    state: 'ready',
    createdAt: time,
    updatedAt: time,
    questions: 0,
    queue: [],
    ...known,
  };
}
