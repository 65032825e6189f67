import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { findOnPath, type SearchVariables } from './search-path.ts';

/** How npm is started. */
export interface NpmCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Finds npm on `PATH`, and returns its script to be run by our own Node: its first line would search `PATH` for
 * `node`. Undefined if npm is not installed.
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
 * The variables to run npm with: the given ones, over those of this process. npm passes its configuration, including
 * a project's `.npmrc`, to the programs it starts. If npm or npx started Parley, those variables are removed, and npm
 * reads the user's `.npmrc` again.
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
