import { aheadMs } from '../limits.ts';
import type { HubClient } from './hub-client.ts';

/**
 * Watches the session that the address of a page names, if any, while the page that displays it is still loading.
 *
 * @param path As in `location.pathname`.
 */
export function watchAhead(hub: Pick<HubClient, 'watch'>, path: string): void {
  const [, key] = /^\/sessions\/([\w-]+)\/?$/.exec(path) ?? [];
  if (key === undefined) return;
  // By then the page watches it too, or the user has left.
  setTimeout(
    hub.watch(key, () => {}),
    aheadMs,
  );
}
