import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import nodeModule from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stateFolder, type Variables } from './configuration/places.ts';
import { readVersion } from './version.ts';

/** Has Node read and write the compiled code of modules in a folder. */
type UseFolder = (folder: string) => void;

/**
 * Keeps the compiled code of this build in the state folder, so that later commands start faster. Does nothing before the state folder exists, where it
 * cannot be written, or without `useFolder`.
 *
 * @param useFolder `enableCompileCache` of https://nodejs.org/api/module.html, which Node has since 22.1.
 */
export function keepCompiledCode(env: Variables, useFolder: UseFolder | undefined = useFolderOfNode()): void {
  const state = stateFolder(env);
  if (useFolder === undefined || !existsSync(state)) return;
  const builds = path.join(state, 'compiled');
  try {
    const folder = path.join(builds, thisBuild());
    if (!existsSync(folder)) {
      mkdirSync(builds, { recursive: true, mode: 0o700 });
      const others = readdirSync(builds).filter((name) => buildName.test(name));
      for (const name of others) rmSync(path.join(builds, name), { recursive: true, force: true });
      mkdirSync(folder, { mode: 0o700 });
    }
    useFolder(folder);
  } catch {
    // The command starts as it did before.
  }
}

/** `PARLEY_HOME` may be a folder that has other things of this name: only what is named as we do is removed. */
const buildName = /^\d+\.\d+\.\d+\S*-\d+$/u;

/** Another name for each version, and for each build of one. */
function thisBuild(): string {
  const { mtimeMs } = statSync(fileURLToPath(import.meta.url));
  return `${readVersion()}-${String(Math.trunc(mtimeMs))}`;
}

function useFolderOfNode(): UseFolder | undefined {
  const { enableCompileCache }: typeof nodeModule & { readonly enableCompileCache?: UseFolder } = nodeModule;
  return enableCompileCache;
}
