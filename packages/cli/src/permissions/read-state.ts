import { WorkspaceError } from '@parley/workspace';
import { CliError } from '../cli-error.ts';

/** Reads a list of the state folder. What cannot be read is no empty list. */
export async function readState<Entry>(entries: Promise<readonly Entry[]>): Promise<readonly Entry[]> {
  try {
    return await entries;
  } catch (error) {
    if (error instanceof WorkspaceError) throw new CliError('configuration', error.message, { cause: error });
    throw error;
  }
}
