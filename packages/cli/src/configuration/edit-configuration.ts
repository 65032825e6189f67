import { takeLock } from '@parley/workspace';
import { CliError } from '../cli-error.ts';
import { decodeInput, isMissingFile, readInputFile, toFileReason } from '../input-file.ts';
import { parseConfiguration } from './parse-configuration.ts';
import { replaceFile } from './replace-file.ts';

/** The fields of a configuration file, as they stand there. */
export type ConfigurationFields = Readonly<Record<string, unknown>>;

/**
 * Changes a user's configuration file and keeps all else that is in it. A file that cannot be read as a
 * configuration is not touched, and none is written that could not be read again.
 *
 * @param change Gives the new fields, or nothing when there is nothing to change.
 * @returns the new fields, if anything was changed
 */
export async function editConfiguration(
  file: string,
  change: (fields: ConfigurationFields) => ConfigurationFields | undefined,
): Promise<ConfigurationFields | undefined> {
  const lock = await takeLock(`${file}.lock`).catch((error: unknown) => {
    throw new CliError('configuration', `${file}: ${toFileReason(error)}`, { cause: error });
  });
  if (!lock.isTaken) {
    throw new CliError('configuration', `${file}: another parley is changing it; try again`);
  }
  try {
    const before = await readIfThere(file);
    if (before !== undefined) parseConfiguration(before, file);
    const fields = change(before === undefined ? {} : toFields(before));
    if (fields === undefined) return undefined;
    const after = `${JSON.stringify(fields, undefined, indentOf(before ?? ''))}\n`;
    parseConfiguration(after, file);
    await replaceFile(file, after);
    return fields;
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError('configuration', `${file}: ${toFileReason(error)}`, { cause: error });
  } finally {
    await lock.release();
  }
}

/** One field which is an object itself; empty where there is none. */
export function fieldsOf(fields: ConfigurationFields, name: string): ConfigurationFields {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function toFields(text: string): ConfigurationFields {
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  return fieldsOf({ value }, 'value');
}

/** What the file indents with. */
function indentOf(text: string): string {
  return /^\s*\{\s*?\n([ \t]+)"/u.exec(text)?.[1]?.slice(0, 8) ?? '  ';
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
