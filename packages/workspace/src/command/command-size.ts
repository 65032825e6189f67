/** Characters of a command that is parsed; a longer one is treated as not understood. */
export const mostCharacters: number = 64 * 1024;

/** Words of a command that is parsed. */
export const mostWords = 4096;
