import type { Command } from './command.ts';

/** Formats a command for display, with its words quoted for a shell. */
export function commandText(command: Command): string {
  return typeof command === 'string' ? command : command.map(quote).join(' ');
}

function quote(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
