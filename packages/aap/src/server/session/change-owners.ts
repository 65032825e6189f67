import type { AapSessionStore } from '../aap-session-store.ts';
import { parseHead, type AapSessionHead } from './aap-session-head.ts';
import type { AapSessionRecord } from './aap-session-record.ts';

/** Options of `changeOwners`. */
export interface ChangeOwnersOptions {
  /**
   * Returns the new owner of a session: the same one to change nothing; undefined for none, so that only clients that
   * see all sessions can access it.
   */
  readonly ownerOf: (tenant: string) => string | undefined;
  /** Returns the date, for time stamps. @default the system's date */
  readonly today?: () => Date;
}

/**
 * Assigns stored sessions to other owners, before a server uses the store. Settles when the changes are synced to
 * disk.
 *
 * @returns The number of changed sessions.
 */
export async function changeOwners(
  store: AapSessionStore,
  { ownerOf, today = () => new Date() }: ChangeOwnersOptions,
): Promise<number> {
  const changed: { readonly sessionId: string; readonly head: AapSessionHead; readonly tenant?: string }[] =
    [];
  for await (const { sessionId, head: value } of store.list()) {
    const head = parseHead(value);
    if (head?.tenant === undefined) continue;
    const tenant = ownerOf(head.tenant);
    if (tenant !== head.tenant) changed.push({ sessionId, head, ...(tenant !== undefined && { tenant }) });
  }
  for (const { sessionId, head, tenant } of changed) {
    const owner = tenant === undefined ? {} : { tenant };
    const record: AapSessionRecord = { type: 'owner', time: today().toISOString(), ...owner };
    const { tenant: _, ...rest } = head;
    await store.append(sessionId, [record], { durable: true, head: { ...rest, ...owner } });
  }
  return changed.length;
}
