import path from 'node:path';
import { findOnPath, type SearchPath } from '@parley/host';
import { CliError } from '../../cli-error.ts';
import type { Variables } from '../../configuration/places.ts';

/**
 * The program that a bare command of the configuration means: not one that a project has put on `PATH`, as npm and npx do
 * with its `node_modules/.bin`. A path is the user's own word, and stays; so does what is nowhere, and will fail to start.
 *
 * @param label Whose command it is, for the error.
 */
export async function toConfiguredProgram(
  command: string,
  { label, env, search }: { readonly label: string; readonly env: Variables; readonly search: SearchPath },
): Promise<string> {
  if (path.basename(command) !== command || search.leftOut.length === 0) return command;
  const found = await findOnPath(command, search.env);
  if (found !== undefined) return found;
  const inProject = await findOnPath(command, env);
  if (inProject === undefined) return command;
  throw new CliError(
    'usage',
    `${label}: "${command}" is only in a folder of the project, ${path.dirname(inProject)}; if you trust it, configure its path`,
  );
}
