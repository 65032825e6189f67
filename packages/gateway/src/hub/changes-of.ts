import { unknownSession } from '@parley/acp';
import { SessionChanges } from '@parley/host';
import { checkFolder } from './check-folder.ts';
import type { HubSessions } from './hub-sessions.ts';

/**
 * What the turns of a session changed, whichever process owns it.
 *
 * @throws {RpcError} There is no such session, or it is not in a folder that sessions may use.
 */
export async function changesOf(table: HubSessions, key: string): Promise<SessionChanges> {
  const owned = table.found(key);
  if (owned !== undefined) return owned.changes;
  await table.expect(key);
  const cwd = table.session(key)?.cwd;
  if (cwd === undefined) throw unknownSession(key);
  const { eventLogs, changesIn } = table.options;
  await checkFolder('the session', cwd, table.options);
  return new SessionChanges({ key: () => key, eventLogs, settingsIn: (folder) => changesIn?.(folder) });
}
