import path from 'node:path';
import type { OpenAgentOptions } from './agent-options.ts';
import { npmVariables } from './catalogue/npm-command.ts';
import { searchPath } from './catalogue/search-path.ts';

/** How a process is started. */
type Start = Pick<OpenAgentOptions, 'cwd'> & {
  readonly env: Readonly<Record<string, string | undefined>>;
};

/**
 * How a command starts an agent. A package runner (`npx`, `npm exec`, `pnpm dlx` …) takes programs, `sh` and `node` among them, from the
 * `node_modules/.bin` of the folder it starts in and of those above it, and settings from there: it starts where no project is,
 * without a project's folders on `PATH`. The agent receives its folder when a session is opened.
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

/** Whether a command fetches a package and runs it. What names a path is the word of its user. */
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
