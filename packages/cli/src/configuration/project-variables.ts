import { access } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { isProviderVariable, type ProjectVariables } from '@parley/agent/node';
import { readNamedFile, WorkspaceError } from '@parley/workspace';
import { CliError } from '../cli-error.ts';
import { toFileReason } from '../input-file.ts';
import type { Variables } from './places.ts';
import { isTrusted, toFileContent, type FileContent } from './trusted-files.ts';

/** Size of a `.env` file. */
const maxVariablesBytes = 64 * 1024;

/** The `.env` of a folder, read to be trusted or not. */
export interface VariablesFile {
  readonly file: string;
  readonly content: FileContent;
  /** What it sets, whole. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The variables that the `.env` of a folder sets for our agent's models, once its user trusts that very content. */
export async function readTrustedVariables(cwd: string, env: Variables): Promise<ProjectVariables> {
  const file = variablesFile(cwd);
  if (!(await isThere(file))) return { variables: {} };
  try {
    const read = await readVariablesFile(cwd);
    if (read !== undefined && (await isTrusted(read.content, env))) return { variables: read.variables };
    return unused(
      file,
      'its current content is not trusted. "parley permissions trust" shows what it would set.',
    );
  } catch (error) {
    if (error instanceof CliError || error instanceof WorkspaceError) return unused(file, error.message);
    throw error;
  }
}

/** Reads the `.env` of a folder, with all that it sets; nothing where there is none. */
export async function readVariablesFile(cwd: string): Promise<VariablesFile | undefined> {
  const file = variablesFile(cwd);
  try {
    const bytes = await readNamedFile(file, { maxBytes: maxVariablesBytes });
    const variables = Object.entries(parseEnv(bytes.toString('utf8'))).flatMap(
      ([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]),
    );
    return { file, content: await toFileContent(file, bytes), variables: Object.fromEntries(variables) };
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'not-found') return undefined;
    const reason =
      error instanceof WorkspaceError && error.code === 'too-large'
        ? `has more than ${String(maxVariablesBytes)} bytes, the limit`
        : toFileReason(error);
    throw new CliError('configuration', `${file}: ${reason}`, { cause: error });
  }
}

/** What a `.env` would set for our agent, one line each, and what it sets besides by its name alone. */
export function rightsOfVariables({ variables }: VariablesFile): readonly string[] {
  const names = Object.keys(variables);
  const used = names.filter(isProviderVariable);
  const others = names.filter((name) => !isProviderVariable(name));
  return [
    ...used.map((name) => `${name}=${JSON.stringify(variables[name])}`),
    ...(others.length === 0 ? [] : [`not used by Parley: ${others.join(', ')}`]),
    ...(names.length === 0 ? ['sets nothing'] : []),
  ];
}

function variablesFile(cwd: string): string {
  return path.join(cwd, '.env');
}

function unused(file: string, reason: string): ProjectVariables {
  return {
    variables: {},
    notice: {
      title: 'The .env of this folder is not used',
      description: `${file}: ${reason}`,
    },
  };
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
