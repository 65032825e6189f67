/** The beginning of the names of tokens: empty folders, one for each sandbox that uses a placeholder. */
export const tokenPrefix = '.parley-sandbox-';

/** The folder that counts the users of the socket beside it. */
export const socketCounter = '.parley-sandbox';

/** The folder that counts the users of files of git beside it. Not hidden in folders of git. */
export const fileCounter = 'parley-sandbox';

/** Whether a folder is a counter or a token, or is called so before it gets its name. */
export function isNameOfSandbox(name: string): boolean {
  return name === socketCounter || name.startsWith(tokenPrefix);
}

/** Whether a folder contains nothing but tokens: it takes the place of a missing name. */
export function hasTokensOnly(names: readonly string[]): boolean {
  return names.length > 0 && names.every((name) => name.startsWith(tokenPrefix));
}

/** Whether a socket takes the place of a missing name. */
export function isSocketOfSandbox(name: string, beside: readonly string[]): boolean {
  return (name === 'refs' || name === 'objects') && beside.includes(socketCounter);
}
