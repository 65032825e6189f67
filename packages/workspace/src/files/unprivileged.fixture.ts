/** Runs as a user without administrator rights, for permissions do not apply to an administrator. */
export async function unprivileged<T>(act: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return act();
  process.seteuid?.(65_534);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}
