import { lstatSync, type BigIntStats } from 'node:fs';
import { systemCode } from '../../error.ts';

/**
 * What is at a path, without following a link there; undefined where nothing is, or nothing that may be looked at. Synchronous: for many
 * paths it takes a tenth of the time.
 */
export function statOf(file: string | Buffer): BigIntStats | undefined {
  try {
    return lstatSync(file, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOTDIR' || code === 'EACCES' || code === 'ELOOP' || code === 'ENAMETOOLONG') {
      return undefined;
    }
    throw error;
  }
}
