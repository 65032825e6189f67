import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { findOnPath, type SearchVariables } from './search-path.ts';

/** How npm is started. */
export interface NpmCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * npm as it lies behind `PATH`: its script, by the Node that runs us. Its own first line would look for `node` on `PATH`.
 * Undefined where there is no npm.
 */
export async function findNpm(env: SearchVariables): Promise<NpmCommand | undefined> {
  const found = await findOnPath('npm', env);
  if (found === undefined) return undefined;
  const real = await realpath(found).catch(() => found);
  const scripts = [
    real,
    path.join(path.dirname(real), 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    path.join(path.dirname(real), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ];
  for (const script of scripts) {
    const isScript = /\.[cm]?js$/u.test(script) && (await isFile(script));
    if (isScript) return { command: process.execPath, args: [script] };
  }
  return { command: found, args: [] };
}

/**
 * The variables that npm is run with: the given ones, over those of this process. npm hands what it was configured with on
 * to what it starts, a project's `.npmrc` included: where npm or npx has started us, that is left out, and the
 * `.npmrc` of the user is read again.
 */
export function npmVariables(env: SearchVariables): SearchVariables {
  const isStartedByNpm = env['npm_execpath'] !== undefined || env['npm_config_user_agent'] !== undefined;
  const names = [...Object.keys(process.env), ...Object.keys(env)];
  return Object.fromEntries(
    names.map((name) => {
      const isHandedOn = isStartedByNpm && (name.startsWith('npm_') || name === 'INIT_CWD');
      return [name, isHandedOn ? undefined : env[name]];
    }),
  );
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
