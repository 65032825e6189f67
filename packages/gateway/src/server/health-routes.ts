import { refusal } from '../access/refusal.ts';
import type { Route } from './route.ts';

/**
 * The routes `/healthz` (the process is running) and `/readyz` (it accepts new work). They need no token and return
 * nothing else.
 *
 * @param whyNotReady Returns why it accepts no new work; undefined while it does.
 */
export function healthRoutes(
  whyNotReady: () => string | undefined | Promise<string | undefined>,
): readonly Route[] {
  return [
    { path: '/healthz', isOpen: true, isReadOnly: true, answer: () => Response.json({ status: 'ok' }) },
    {
      path: '/readyz',
      isOpen: true,
      isReadOnly: true,
      answer: async () => {
        const reason = await whyNotReady();
        return reason === undefined ? Response.json({ status: 'ready' }) : refusal(503, 'not_ready', reason);
      },
    },
  ];
}

/** Answers every other request while the server accepts none. */
export function unavailable(why: () => string): Route {
  const answer = (): Response => refusal(503, 'not_ready', why());
  return {
    path: '/',
    isPrefix: true,
    isOpen: true,
    answer,
    upgrade: () => Promise.resolve(answer()),
  };
}
