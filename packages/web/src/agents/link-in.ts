/**
 * The last web address in the output of a command, even if the terminal broke it into lines; undefined if there is
 * none.
 */
export function linkIn(written: string): string | undefined {
  const plain = written
    // A link of a terminal (OSC 8) has its address outside of what is shown.
    .replaceAll(/\u001B\]8;[^;]*;([^\u0007\u001B]*)(?:\u0007|\u001B\\)/gu, ' $1 ')
    .replaceAll(/\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)/gu, '')
    .replaceAll(/\u001B\[[\d;?]*[A-Za-z]/gu, '');
  // A full line continues in the next one.
  const lines = plain.replaceAll('\r\n', '\n').split('\n');
  const joined = lines
    .map((line) => (line.length >= columns && /\S$/u.test(line) ? line : `${line}\n`))
    .join('');
  const found = joined
    .match(/https:\/\/[^\s"'<>\u0000-\u001F]+/gu)
    ?.at(-1)
    ?.replace(/[).,;]+$/u, '');
  return found !== undefined && URL.canParse(found) ? found : undefined;
}

/** How wide the terminal of a sign-in command is. */
const columns = 100;
