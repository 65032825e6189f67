import { wrapWords } from '../output/wrap-words.ts';

/** The narrowest column of descriptions that is easy to read. */
const minDescription = 24;

/** Breaks the lines of a help text that are longer than a line of the terminal between words. */
export function fitHelp(help: string, columns: number): string {
  return help
    .split('\n')
    .flatMap((line) => (line.length <= columns ? [line] : fitLine(line, columns)))
    .join('\n');
}

function fitLine(line: string, columns: number): string[] {
  const [, indent = '', term = '', gap = '', description = ''] =
    /^( *)(\S.*?)(?:( {2,})(\S.*))?$/u.exec(line) ?? [];
  if (description === '') return wrap(indent, `${indent}  `, term, columns);
  const column = indent.length + term.length + gap.length;
  // The description stays beside what it describes where it has room, and is below it otherwise.
  if (columns - column >= minDescription) {
    return wrap(`${indent}${term}${gap}`, ' '.repeat(column), description, columns);
  }
  const below = `${indent}    `;
  return [...wrap(indent, `${indent}  `, term, columns), ...wrap(below, below, description, columns)];
}

/** The lines of a text that begin with this, and all but the first with spaces in its place. */
function wrap(first: string, others: string, text: string, columns: number): string[] {
  return wrapWords(text, columns - others.length).map((line, index) => (index === 0 ? first : others) + line);
}
