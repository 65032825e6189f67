import { InvalidArgumentError } from 'commander';

/** Reads the number of a turn, from 1. */
export function parseTurn(text: string): number {
  const turn = /^\d{1,9}$/u.test(text) ? Number(text) : 0;
  if (turn < 1) throw new InvalidArgumentError('It is the number of a turn, from 1.');
  return turn;
}
