import type { Command } from 'commander';

/** What can be typed where a value is expected. */
export type CompletedValue =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'file' }
  | { readonly kind: 'folder' }
  /** Anything; there is nothing to suggest. */
  | { readonly kind: 'free' };

/** A flag, by all its names. */
export interface CompletedOption {
  readonly names: readonly string[];
  readonly description: string;
  /** What comes behind it; absent for a flag that stands alone. */
  readonly value?: CompletedValue;
}

/** One command, as far as its completion goes. */
export interface CompletedCommand {
  /** The words that lead to it, `parley` first. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
  /** What its first argument may be; absent without one. */
  readonly argument?: CompletedValue;
}

/** All commands, the outermost first; `agents` are suggested where the name of one is expected. */
export function toCommandTable(root: Command, agents: readonly string[]): readonly CompletedCommand[] {
  return collect(root, root.name(), agents);
}

function collect(command: Command, path: string, agents: readonly string[]): CompletedCommand[] {
  const [argument] = command.registeredArguments;
  const options = command.options.map((option): CompletedOption => {
    const names = [option.short, option.long].filter((name) => name !== undefined);
    const { description } = option;
    if (!option.required) return { names, description };
    const place = option.long === '--agent' ? 'agent' : valueName(option.flags);
    return { names, description, value: toValue(place, agents) };
  });
  const help: CompletedOption = { names: ['-h', '--help'], description: 'display help for command' };
  return [
    {
      path,
      commands: command.commands.map((child) => ({ name: child.name(), description: describe(child) })),
      options: [...options, help],
      ...(argument !== undefined && {
        argument: toValue(isKnownAgent(path, argument.name()) ? 'agent' : argument.name(), agents),
      }),
    },
    ...command.commands.flatMap((child) => collect(child, `${path} ${child.name()}`, agents)),
  ];
}

/** Whether an argument is the name of an agent that is there already. */
function isKnownAgent(path: string, name: string): boolean {
  return path.startsWith('parley agents ') && path !== 'parley agents add' && name === 'NAME';
}

function describe(command: Command): string {
  return command.summary() === '' ? command.description() : command.summary();
}

/** What a flag calls its value: `file` in `--file <file>`. */
function valueName(flags: string): string {
  return /<(.*?)(?:\.\.\.)?>$/u.exec(flags)?.[1] ?? '';
}

/** The name of a value says what it is; one that lists words (`a|b`) means these. Words in capitals are placeholders. */
function toValue(name: string, agents: readonly string[]): CompletedValue {
  if (name === 'agent') return { kind: 'words', words: agents };
  // A URL or a folder: only the folder can be suggested.
  if (name === 'url|dir') return { kind: 'folder' };
  if (name.includes('|') && name !== name.toUpperCase()) return { kind: 'words', words: name.split('|') };
  switch (name.toLowerCase()) {
    case 'file':
      return { kind: 'file' };
    case 'dir':
      return { kind: 'folder' };
    default:
      return { kind: 'free' };
  }
}
