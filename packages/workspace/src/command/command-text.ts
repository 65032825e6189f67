import type { Command } from './command.ts';

/** A command for a reader: its words as a shell would take them. */
export function commandText(command: Command): string {
  return typeof command === 'string' ? command : command.map(quote).join(' ');
}

function quote(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
