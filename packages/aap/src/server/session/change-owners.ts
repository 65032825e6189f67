import type { SessionStore } from '../session-store.ts';
import { parseHead, type SessionHead } from './session-head.ts';
import type { SessionRecord } from './session-record.ts';

/** How owners are changed. */
export interface ChangeOwnersOptions {
  /**
   * The tenant that has the sessions of this one from now on: the same one to change nothing; undefined for none, so that only those see
   * them who see all.
   */
  readonly ownerOf: (tenant: string) => string | undefined;
  /** The date, for time stamps. @default the machine's */
  readonly today?: () => Date;
}

/**
 * Gives stored sessions to other tenants, before a server uses the store. Settles when all of it is on the disk.
 *
 * @returns How many sessions have another owner.
 */
export async function changeOwners(
  store: SessionStore,
  { ownerOf, today = () => new Date() }: ChangeOwnersOptions,
): Promise<number> {
  const changed: { readonly sessionId: string; readonly head: SessionHead; readonly tenant?: string }[] = [];
  for await (const { sessionId, head: value } of store.list()) {
    const head = parseHead(value);
    if (head?.tenant === undefined) continue;
    const tenant = ownerOf(head.tenant);
    if (tenant !== head.tenant) changed.push({ sessionId, head, ...(tenant !== undefined && { tenant }) });
  }
  for (const { sessionId, head, tenant } of changed) {
    const owner = tenant === undefined ? {} : { tenant };
    const record: SessionRecord = { type: 'owner', time: today().toISOString(), ...owner };
    const { tenant: _, ...rest } = head;
    await store.append(sessionId, [record], { durable: true, head: { ...rest, ...owner } });
  }
  return changed.length;
}
