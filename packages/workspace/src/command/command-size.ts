/** The most characters of a command that is judged; a longer one counts as not understood. */
export const mostCharacters: number = 64 * 1024;

/** The most words of a command that is judged. */
export const mostWords = 4096;
