import type { CompletedCommand, CompletedOption, CompletedValue } from './command-table.ts';

/** A script that completes the words of `parley` in fish. */
export function toFish(table: readonly CompletedCommand[]): string {
  const nested = table.slice(1).map(({ path }) => quote(path));
  return `# fish completion for parley. In config.fish: parley completion fish | source
function __parley_at
    set -l where parley
    set -l typed (commandline -opc)
    for word in $typed[2..-1]
        test "$word" = --; and return 1
        switch "$where $word"
            case ${nested.join(' ')}
                set where "$where $word"
        end
    end
    test "$where" = "$argv[1]"
end
function __parley_behind_dashes
    contains -- -- (commandline -opc)
end
complete -c parley -e
complete -c parley -f
complete -c parley -n __parley_behind_dashes -F
${table.flatMap(toLines).join('\n')}
`;
}

function toLines({ path, commands, options, argument }: CompletedCommand): string[] {
  const start = `complete -c parley -n ${quote(`__parley_at ${quote(path)}`)}`;
  return [
    ...commands.map(({ name, description }) => `${start} -a ${quote(name)} -d ${quote(description)}`),
    ...options.map((option) => `${start}${toFlags(option)} -d ${quote(option.description)}`),
    ...(argument === undefined || argument.kind === 'free' ? [] : [`${start}${suggest(argument)}`]),
  ];
}

function toFlags({ names, value }: CompletedOption): string {
  const flags = names.map((name) =>
    name.startsWith('--') ? ` -l ${quote(name.slice(2))}` : ` -s ${quote(name.slice(1))}`,
  );
  return `${flags.join('')}${value === undefined ? '' : ` -r${suggest(value)}`}`;
}

function suggest(value: CompletedValue): string {
  switch (value.kind) {
    case 'words':
      return ` -f -a ${quote(value.words.join(' '))}`;
    case 'file':
      return ' -F';
    case 'folder':
      return ` -f -a ${quote('(__fish_complete_directories)')}`;
    case 'free':
      return ' -f';
  }
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
