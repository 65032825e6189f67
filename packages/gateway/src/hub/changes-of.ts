import { unknownSession } from '@parley/acp';
import { SessionChanges } from '@parley/host';
import { checkFolder } from './check-folder.ts';
import type { HubSessions } from './sessions/hub-sessions.ts';

/**
 * The changes of a session, whichever process owns it.
 *
 * @throws {RpcError} The session does not exist, or is not in a folder that sessions may use.
 */
export async function changesOf(table: HubSessions, key: string): Promise<SessionChanges> {
  const owned = table.found(key);
  if (owned !== undefined) return owned.changes;
  await table.expect(key);
  const cwd = table.replicas?.folderOf(key) ?? table.session(key)?.cwd;
  if (cwd === undefined) throw unknownSession(key);
  const { eventLogs, changesIn } = table.options;
  await checkFolder('the session', cwd, table.options);
  return new SessionChanges({
    key: () => key,
    eventLogs,
    folder: () => cwd,
    settingsIn: (folder) => changesIn?.(folder),
  });
}
