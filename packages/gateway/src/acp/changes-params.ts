import { invalidParams } from '@parley/acp';
import type { ChangedPath } from '@parley/host';
import type {
  CommitParams,
  ContentParams,
  DiffParams,
  HunksParams,
  RedoParams,
  UndoParams,
} from '@parley/host/hub';
import { parseSessionParams } from './hub-params.ts';
import { fieldsOf } from './session-fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Reads which changes are meant. @throws {RpcError} -32602. */
export function parseDiffParams(params: unknown): DiffParams {
  const fields = fieldsOf(params);
  return {
    ...parseSessionParams(params),
    ...turnIn(fields),
    ...pathsIn(fields),
    ...flagIn(fields, 'unreviewed'),
  };
}

/** Reads which side of a file is wanted. @throws {RpcError} -32602. */
export function parseContentParams(params: unknown): ContentParams {
  const fields = fieldsOf(params);
  const { side } = fields;
  if (side !== 'before' && side !== 'after') throw invalidParams('side', '"before" or "after"');
  return { ...parseSessionParams(params), ...turnIn(fields), path: toPath(fields['path'], 'path'), side };
}

/** Reads what is undone. @throws {RpcError} -32602. */
export function parseUndoParams(params: unknown): UndoParams {
  const fields = fieldsOf(params);
  return {
    ...parseRedoParams(params),
    ...turnIn(fields),
    ...pathsIn(fields),
    ...flagIn(fields, 'unreported'),
  };
}

/** Reads how an undo is taken back. @throws {RpcError} -32602. */
export function parseRedoParams(params: unknown): RedoParams {
  const fields = fieldsOf(params);
  return { ...parseSessionParams(params), ...flagIn(fields, 'dryRun'), ...flagIn(fields, 'force') };
}

/** Reads which hunks are kept or reverted. @throws {RpcError} -32602. */
export function parseHunksParams(params: unknown): HunksParams {
  const { hunks } = fieldsOf(params);
  const isList = Array.isArray(hunks) && hunks.length > 0 && hunks.length <= mostNamed;
  if (!isList) throw invalidParams('hunks', `a list of 1 to ${String(mostNamed)} ids of hunks`);
  return { ...parseSessionParams(params), hunks: hunks.map((id, at) => toText(id, `hunks[${String(at)}]`)) };
}

/** Reads how changes are committed. @throws {RpcError} -32602. */
export function parseCommitParams(params: unknown): CommitParams {
  const message = toText(fieldsOf(params)['message'], 'message');
  if (message.trim() === '') throw invalidParams('message', 'a message');
  return { ...parseSessionParams(params), message };
}

/** The most paths or hunks that one request names, and the most characters of a path or a message. */
const mostNamed = 10_000;

function turnIn({ turn }: Fields): { readonly turn?: number } {
  if (turn === undefined || turn === null) return {};
  if (typeof turn === 'number' && Number.isSafeInteger(turn) && turn > 0) return { turn };
  throw invalidParams('turn', 'the number of a turn, from 1');
}

function pathsIn({ paths }: Fields): { readonly paths?: readonly ChangedPath[] } {
  if (paths === undefined || paths === null) return {};
  if (!Array.isArray(paths) || paths.length === 0 || paths.length > mostNamed) {
    throw invalidParams('paths', `a list of 1 to ${String(mostNamed)} paths`);
  }
  return { paths: paths.map((path, at) => toPath(path, `paths[${String(at)}]`)) };
}

function flagIn<Name extends string>(fields: Fields, name: Name): { readonly [Key in Name]?: boolean } {
  const value = fields[name];
  if (value === undefined || value === null) return {};
  if (typeof value !== 'boolean') throw invalidParams(name, 'true or false');
  // oxlint-disable-next-line typescript/consistent-type-assertions -- a computed key loses its name.
  return { [name]: value } as { readonly [Key in Name]?: boolean };
}

function toPath(value: unknown, where: string): ChangedPath {
  const { base64 } = fieldsOf(value);
  return typeof base64 === 'string' ? { base64: toText(base64, where) } : toText(value, where);
}

function toText(value: unknown, where: string): string {
  if (typeof value === 'string' && value.length <= mostNamed) return value;
  throw invalidParams(where, `text of at most ${String(mostNamed)} characters`);
}
