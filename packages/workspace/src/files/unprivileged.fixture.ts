import { chown } from 'node:fs/promises';

/** Runs as a user without administrator rights, for permissions do not apply to an administrator. */
export async function unprivileged<T>(act: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return act();
  process.seteuid?.(ordinaryUser);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}

/** Gives files to the user that {@link unprivileged} runs as; without administrator rights, they are the test's own already. */
export async function ownedByUnprivileged(paths: readonly string[]): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  await Promise.all(paths.map((path) => chown(path, ordinaryUser, ordinaryUser)));
}

/** The user "nobody" on most systems. */
const ordinaryUser = 65_534;
