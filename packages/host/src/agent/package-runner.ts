import path from 'node:path';
import type { OpenAgentOptions } from './agent-options.ts';
import { npmVariables } from './catalogue/npm-command.ts';
import { searchPath } from './catalogue/search-path.ts';

/** How a process is started. */
type Start = Pick<OpenAgentOptions, 'cwd'> & {
  readonly env: Readonly<Record<string, string | undefined>>;
};

/**
 * Returns how to start an agent's command. A package runner (`npx`, `npm exec`, `pnpm dlx` …) uses programs, even
 * `sh` and `node`, and settings from the folder it starts in and from those above it. So it starts in a folder
 * without a project, and without a project's folders on `PATH`. The agent receives its folder when a session is
 * opened.
 */
export async function startOf({ command, args = [], env = {}, cwd }: OpenAgentOptions): Promise<Start> {
  if (!isPackageRunner(command, args)) return { cwd, env };
  const variables = { ...process.env, ...env };
  const { env: found } = await searchPath(variables, [process.cwd(), cwd]);
  const handedOn = Object.entries(npmVariables(found)).filter(([, value]) => value === undefined);
  return {
    cwd: path.parse(path.resolve(cwd)).root,
    env: { ...env, ...Object.fromEntries(handedOn), PATH: found['PATH'] },
  };
}

/** Whether a command downloads a package and runs it. A path is a choice of the user, and not a package. */
export function isPackageRunner(command: string, args: readonly string[]): boolean {
  const name = path
    .basename(command)
    .replace(/\.(?:cmd|exe|ps1|bat)$/iu, '')
    .toLowerCase();
  if (args.some((word) => /^\.{1,2}(?:[\\/]|$)/u.test(word))) return false;
  const subcommand = args.find((word) => !word.startsWith('-'));
  return runners.has(name) || (subcommand !== undefined && subcommands.get(name)?.has(subcommand) === true);
}

const runners: ReadonlySet<string> = new Set(['npx', 'pnpx', 'bunx']);

const subcommands: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['npm', new Set(['exec', 'x'])],
  ['pnpm', new Set(['dlx'])],
  ['yarn', new Set(['dlx'])],
  ['bun', new Set(['x'])],
]);
