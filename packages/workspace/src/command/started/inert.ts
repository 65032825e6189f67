import type { CommandWord } from '../command-part.ts';
import { isKnownHarmless } from '../covered/uncovered.ts';
import { programName } from './unwrap.ts';

/** Whether it is known that a program runs none of its words. */
export function isInert(words: readonly CommandWord[]): boolean {
  const [program, ...rest] = words;
  if (program === undefined) return true;
  const name = programName(program.text);
  return inertPrograms.has(name) || isKnownHarmless([{ ...program, text: name }, ...rest]);
}

/** Programs that change files, or show something, and start nothing, with any arguments. */
const inertPrograms: ReadonlySet<string> = new Set(
  (
    'echo printf true false : test [ cp mv rm rmdir mkdir touch ln chmod chown chgrp cat head tail ls wc cut tr cmp comm paste ' +
    'join fold fmt nl rev tac shuf seq sleep date kill ps uniq grep egrep fgrep stat du df basename dirname realpath readlink ' +
    'which type whereis whoami id uname hostname pwd cd pushd popd dirs tee export unset printenv jq md5sum sha1sum sha256sum ' +
    'cksum hexdump od xxd strings unzip gzip gunzip bzip2 xz diff patch mktemp yes expr factor nproc free uptime lsof'
  ).split(' '),
);
