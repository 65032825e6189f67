import { refusal } from '../access/refusal.ts';
import type { Route } from './route.ts';

/** `/healthz`: the process lives. `/readyz`: it takes new work. Open to all, and they say nothing else. */
export function healthRoutes(isReady: () => boolean): readonly Route[] {
  return [
    { path: '/healthz', isOpen: true, isReadOnly: true, answer: () => Response.json({ status: 'ok' }) },
    {
      path: '/readyz',
      isOpen: true,
      isReadOnly: true,
      answer: () =>
        isReady()
          ? Response.json({ status: 'ready' })
          : refusal(503, 'not_ready', 'the server is about to end, or not ready yet'),
    },
  ];
}
