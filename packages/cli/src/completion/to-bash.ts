import type { CompletedCommand, CompletedValue } from './command-table.ts';

/** A script that completes the words of `parley` in bash 3.2 and later. */
export function toBash(table: readonly CompletedCommand[]): string {
  const nested = table.slice(1).map(({ path }) => `'${path}'`);
  return `# bash completion for parley. In ~/.bashrc: source <(parley completion bash)
_parley() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} where=parley i
  local IFS=$' \\t\\n'
  COMPREPLY=()
  # "--flag=value" comes as three words.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      --) _parley_files -f; return ;;
    esac
    case "$where \${COMP_WORDS[i]}" in
      ${nested.join(' | ')}) where="$where \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$where $prev" in
${table.flatMap(toValueCases).join('\n')}
  esac
  case "$where" in
${table.map(toCommandCase).join('\n')}
  esac
}
_parley_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
_parley_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$1" -- "$cur"))
}
complete -F _parley parley
`;
}

function toValueCases({ path, options }: CompletedCommand): string[] {
  return options.flatMap(({ names, value }) => {
    if (value === undefined) return [];
    const patterns = names.map((name) => `'${path} ${name}'`).join(' | ');
    return [`    ${patterns}) ${complete(value)}; return ;;`];
  });
}

function toCommandCase({ path, commands, options, argument }: CompletedCommand): string {
  const flags = options.flatMap(({ names }) => names).join(' ');
  const rest =
    commands.length > 0
      ? `_parley_words '${commands.map(({ name }) => name).join(' ')}'`
      : complete(argument ?? { kind: 'free' });
  return `    '${path}') if [[ $cur == -* ]]; then _parley_words '${flags}'; else ${rest}; fi ;;`;
}

function complete(value: CompletedValue): string {
  switch (value.kind) {
    case 'words':
      return `_parley_words '${value.words.join(' ')}'`;
    case 'file':
      return '_parley_files -f';
    case 'folder':
      return '_parley_files -d';
    case 'free':
      return ':';
  }
}
