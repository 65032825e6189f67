import { isDeepStrictEqual } from 'node:util';
import { takeLock } from '@parley/workspace';
import { applyEdits, modify } from 'jsonc-parser';
import { CliError } from '../cli-error.ts';
import { decodeInput, isMissingFile, readInputFile, toFileReason } from '../input-file.ts';
import { parseConfiguration } from './parse-configuration.ts';
import { parseJson } from './read-json.ts';
import { replaceUserFile } from './replace-user-file.ts';

/** The fields of a configuration file, as they stand there. */
export type RawConfiguration = Readonly<Record<string, unknown>>;

/**
 * Changes a user's configuration file and keeps all else that is in it. A file that cannot be read as a
 * configuration is not touched, and none is written that could not be read again.
 *
 * @param change Gives the new fields, or nothing when there is nothing to change.
 * @returns the new fields, if anything was changed
 */
export async function editConfiguration(
  file: string,
  change: (fields: RawConfiguration) => RawConfiguration | undefined,
): Promise<RawConfiguration | undefined> {
  const lock = await takeLock(`${file}.lock`).catch((error: unknown) => {
    throw new CliError('configuration', `${file}: ${toFileReason(error)}`, { cause: error });
  });
  if (!lock.isTaken) {
    throw new CliError('configuration', `${file}: another parley is changing it; try again`);
  }
  try {
    const before = (await readIfThere(file))?.replace(/^\uFEFF/u, '');
    if (before !== undefined) await parseConfiguration(before, file);
    const old = before === undefined ? {} : await toFields(before, file);
    const fields = change(old);
    if (fields === undefined) return undefined;
    const after =
      before === undefined ? `${JSON.stringify(fields, undefined, 2)}\n` : edit(before, old, fields);
    await parseConfiguration(after, file);
    await replaceUserFile(file, after);
    return fields;
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError('configuration', `${file}: ${toFileReason(error)}`, { cause: error });
  } finally {
    await lock.release();
  }
}

/** One field which is an object itself; empty where there is none. */
export function fieldsOf(fields: RawConfiguration, name: string): RawConfiguration {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

async function toFields(text: string, file: string): Promise<RawConfiguration> {
  return fieldsOf({ value: await parseJson(text, file) }, 'value');
}

/** The text with the fields that changed; comments and the order of all others stay. */
function edit(text: string, before: RawConfiguration, after: RawConfiguration): string {
  const indent = indentOf(text);
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  return changesBetween(before, after).reduce(
    (edited, { path, value }) => applyEdits(edited, modify(edited, [...path], value, { formattingOptions })),
    text,
  );
}

interface FieldChange {
  readonly path: readonly string[];
  /** Absent where the field is removed. */
  readonly value?: unknown;
}

/** The changes of fields, and of the fields of objects. */
function changesBetween(before: RawConfiguration, after: RawConfiguration): readonly FieldChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name): readonly FieldChange[] => {
    if (!Object.hasOwn(after, name)) return [{ path: [name] }];
    const [old, value] = [before[name], after[name]];
    if (Object.hasOwn(before, name) && isDeepStrictEqual(old, value)) return [];
    if (!isFields(old) || !isFields(value)) return [{ path: [name], value }];
    return changesBetween(old, value).map((inner) => ({ ...inner, path: [name, ...inner.path] }));
  });
}

function isFields(value: unknown): value is RawConfiguration {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What the file indents with. */
function indentOf(text: string): string {
  return /\n([ \t]+)"/u.exec(text)?.[1]?.slice(0, 8) ?? '  ';
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    const bytes = await readInputFile(file, { label: file, code: 'configuration' });
    return decodeInput(bytes, { label: file, code: 'configuration' });
  } catch (error) {
    if (error instanceof CliError && isMissingFile(error.cause)) return undefined;
    throw error;
  }
}
