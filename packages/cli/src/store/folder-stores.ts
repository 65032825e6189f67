import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { filesStore, isSessionKey, type FilesStore } from '@parley/host';
import { eventLogsFolder, servedFolder, type Variables } from '../configuration/places.ts';

/** Says in a folder of `--store` where the event logs of its server are. */
const pointerName = 'event-logs';

/** The event logs in a folder of `--store` that came there with "parley sessions copy". */
export function copiedSessions(folder: string): FilesStore {
  return filesStore(path.join(folder, 'sessions'));
}

/** Notes in a folder of `--store` where the event logs of its server are. */
export async function noteEventLogs(folder: string, eventLogs: string): Promise<void> {
  await writeFile(path.join(folder, pointerName), `${eventLogs}\n`, { mode: 0o600 });
}

/** The event logs that belong to a folder of `--store`, or are in it. */
export async function storesIn(folder: string, env: Variables): Promise<readonly FilesStore[]> {
  const noted = await readFile(path.join(folder, pointerName), 'utf8').catch(() => '');
  const folders = new Set([folder, path.join(folder, 'sessions')]);
  if (noted !== '') folders.add(noted.trimEnd());
  if (path.resolve(folder) === servedFolder(env)) folders.add(eventLogsFolder(env));
  const stores: FilesStore[] = [];
  for (const each of folders) {
    const names = await readdir(each).catch(() => []);
    if (names.some(isSessionKey)) stores.push(filesStore(each));
  }
  return stores;
}
