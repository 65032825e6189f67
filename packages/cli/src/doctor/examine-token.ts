import type { Variables } from '../configuration/places.ts';
import { type Finding, note } from './finding.ts';

/** Whether what starts from this shell can read the token of the server. */
export function examineToken({ PARLEY_TOKEN: token = '' }: Variables): readonly Finding[] {
  if (token === '') return [];
  return [
    note(
      'token',
      'PARLEY_TOKEN is set: all programs that are started from here can read it, and agents can look it up in the process that started them',
      'start "parley serve" with --token-file; set PARLEY_TOKEN only for the command that connects to a server',
    ),
  ];
}
