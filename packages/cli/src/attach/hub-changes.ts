import type { ChangedPath, RestoredFile } from '@parley/host';
import { changesMethods, type ChangesList, type RestoreResult, type SkippedTurn } from '@parley/host/hub';
import type { ChatChanges } from '../chat/chat-changes.ts';
import { CliError } from '../cli-error.ts';
import type { AttachedSession } from './attached-session.ts';

/** The changes of the turns of an attached session, as reported by its hub. */
export function hubChanges({ client, key }: Pick<AttachedSession, 'client' | 'key'>): ChatChanges {
  const request = (method: string, params: object): Promise<unknown> =>
    client.request(method, { ...params, sessionId: key });
  return {
    list: async () => toList(await request(changesMethods.listChanges, {})),
    undo: async (params) => toResult(await request(changesMethods.undoChanges, params)),
    redo: async (params) => toResult(await request(changesMethods.redoChanges, params)),
  };
}

function toList(value: unknown): ChangesList {
  if (isListed(value)) return value;
  throw unreadable(changesMethods.listChanges);
}

function toResult(value: unknown): RestoreResult {
  if (isRestored(value)) return value;
  throw unreadable(changesMethods.undoChanges);
}

function isListed(value: unknown): value is ChangesList {
  const { turns } = fieldsOf(value);
  return (
    Array.isArray(turns) &&
    turns.every((turn) => {
      const { files, omitted } = fieldsOf(turn);
      return isListOf(files, isFile) && isListOf(omitted, isFile);
    })
  );
}

function isRestored(value: unknown): value is RestoreResult {
  const { files, conflicts, unreported, skipped = [] } = fieldsOf(value);
  return (
    isListOf(files, isFile) &&
    isListOf(conflicts, isFile) &&
    isListOf(unreported, isPath) &&
    isListOf(skipped, isSkipped)
  );
}

function isSkipped(value: unknown): value is SkippedTurn {
  const { turn, unreported } = fieldsOf(value);
  return typeof turn === 'number' && isListOf(unreported, isPath);
}

function isFile(value: unknown): value is Pick<RestoredFile, 'path'> {
  return isPath(fieldsOf(value)['path']);
}

function isPath(value: unknown): value is ChangedPath {
  return typeof value === 'string' || typeof fieldsOf(value)['base64'] === 'string';
}

function isListOf<T>(value: unknown, is: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(is);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function unreadable(method: string): CliError {
  return new CliError(
    'hub-refused',
    `the hub answered ${method} with an unexpected response; it may be another version of Parley`,
  );
}
