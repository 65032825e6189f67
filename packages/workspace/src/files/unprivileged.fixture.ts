/** Runs as somebody without rights of an administrator, for whom permissions would not count. */
export async function unprivileged<T>(act: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return act();
  process.seteuid?.(65_534);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}
