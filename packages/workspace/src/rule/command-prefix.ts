import type { Command } from '../command/command.ts';
import { plainWords } from '../command/prefix.ts';

/**
 * The first words of a command that say what it does, so that further words need not be asked about: `git status`,
 * `npm run build`. Undefined where they do not: an unknown program, one that runs or fetches other code or destroys
 * something, or anything but one plain command.
 */
export function prefixOf(command: Command): string | undefined {
  const words = typeof command === 'string' ? simpleWords(command) : command;
  const [name = '', ...rest] = words ?? [];
  const known = programs.get(name);
  if (known === undefined) return undefined;
  const deeper = known.deeper.has(rest[0] ?? '') ? 1 : 0;
  const naming = rest.slice(0, 1 + deeper);
  if (naming.length < 1 + deeper || !naming.every(isName)) return undefined;
  return naming.some((word) => known.exact.has(word)) ? undefined : [name, ...naming].join(' ');
}

/** The words of one plain command, without redirections to or from anywhere. */
function simpleWords(line: string): readonly string[] | undefined {
  return /[|&;<>()$`\\\n#]/u.test(line) ? undefined : plainWords(line);
}

/** No option, no path, no variable. */
function isName(word: string): boolean {
  return /^[A-Za-z][\w:.@-]*$/u.test(word);
}

interface Program {
  /** Words behind which another word names what is done. */
  readonly deeper: ReadonlySet<string>;
  /** Words that run code from elsewhere, destroy something, or change what later commands do. */
  readonly exact: ReadonlySet<string>;
}

function program(exact: string, deeper = ''): Program {
  return { exact: new Set(exact.split(' ')), deeper: new Set(deeper.split(' ')) };
}

const packageManager = program(
  'add bin ci config create dlx exec global i init install link login node pack patch pkg publish remove rm set ' +
    'un uninstall unlink unpublish up update upgrade version workspace workspaces x',
  'run run-script',
);

const python = program('config download install uninstall wheel');

const containers = program(
  'attach commit cp create exec export import kill load login plugin prune push remove restart rm rmi run save start ' +
    'stop swarm update',
  'builder buildx compose container context image manifest network system volume',
);

/** Programs whose second word says what they do. */
const programs: ReadonlyMap<string, Program> = new Map([
  [
    'git',
    program(
      'am apply bisect clean config credential daemon difftool fast-import filter-branch filter-repo gc hook init ' +
        'maintenance mergetool mv prune rebase reflog replace reset restore rm send-email sparse-checkout submodule ' +
        'svn update-index update-ref worktree drop clear',
      'notes remote stash',
    ),
  ],
  ['npm', packageManager],
  ['pnpm', packageManager],
  ['yarn', packageManager],
  ['bun', packageManager],
  ['cargo', program('add install login owner publish remove uninstall yank')],
  ['go', program('env get install tool work', 'mod')],
  ['pip', python],
  ['pip3', python],
  ['make', program('clean distclean install uninstall')],
  ['just', program('')],
  ['docker', containers],
  ['podman', containers],
  [
    'kubectl',
    program(
      'annotate apply attach autoscale cordon cp create debug delete drain edit exec expose kustomize label patch ' +
        'plugin port-forward proxy replace run scale set taint',
      'auth cluster-info config rollout',
    ),
  ],
  ['gh', program('alias api auth clone codespace delete extension', 'issue pr release repo run workflow')],
  ['dotnet', program('add exec nuget publish remove run script tool workload')],
  ['terraform', program('apply console destroy import init taint untaint', 'state workspace')],
]);
