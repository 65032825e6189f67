import type { CompletedCommand, CompletedValue } from './command-table.ts';

/** A script that completes the words of `parley` in zsh. */
export function toZsh(table: readonly CompletedCommand[]): string {
  const nested = table.slice(1).map(({ path }) => `'${path}'`);
  return `#compdef parley
# zsh completion for parley. In ~/.zshrc, behind compinit: source <(parley completion zsh)
_parley() {
  local where=parley i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    if [[ $words[i] == -- ]]; then
      _files
      return
    fi
    case "$where $words[i]" in
      (${nested.join('|')}) where="$where $words[i]" ;;
    esac
  done
  case "$where $words[CURRENT-1]" in
${table.flatMap(toValueCases).join('\n')}
  esac
  case "$where" in
${table.map(toCommandCase).join('\n')}
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _parley "$@"
else
  compdef _parley parley
fi
`;
}

function toValueCases({ path, options }: CompletedCommand): string[] {
  return options.flatMap(({ names, value }) => {
    if (value === undefined) return [];
    const patterns = names.map((name) => quote(`${path} ${name}`)).join('|');
    return [`    (${patterns}) ${complete(value)}; return ;;`];
  });
}

function toCommandCase({ path, commands, options, argument }: CompletedCommand): string {
  const flags = options.flatMap(({ names, description }) => names.map((name) => describe(name, description)));
  const words = commands.map(({ name, description }) => describe(name, description));
  const rest =
    words.length > 0
      ? `found=(${words.join(' ')}); _describe command found`
      : complete(argument ?? { kind: 'free' });
  return `    (${quote(path)})
      if [[ $words[CURRENT] == -* ]]; then
        found=(${flags.join(' ')})
        _describe option found
      else
        ${rest}
      fi ;;`;
}

function complete(value: CompletedValue): string {
  switch (value.kind) {
    case 'words':
      return `compadd -- ${value.words.map(quote).join(' ')}`;
    case 'file':
      return '_files';
    case 'folder':
      return '_files -/';
    case 'free':
      return ':';
  }
}

/** A word with what it means, as `_describe` takes it. */
function describe(word: string, description: string): string {
  return quote(`${word.replaceAll(':', '\\:')}:${description}`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
