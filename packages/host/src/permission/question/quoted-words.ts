/**
 * A list of arguments as one line that a POSIX shell would read as the same list: a word with spaces, quotes or line
 * breaks cannot pass for several, or for an assignment.
 */
export function quoteWords(words: readonly string[]): string {
  return words
    .map((word, index) => (index === 0 && word.includes('=') ? quoted(word) : quoteWord(word)))
    .join(' ');
}

/** One word of such a line. */
export function quoteWord(word: string): string {
  return /^[A-Za-z\d_@%+=:,./-]+$/u.test(word) ? word : quoted(word);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
