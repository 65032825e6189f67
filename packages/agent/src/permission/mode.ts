import type { SessionMode } from '@parley/acp';

/** Which actions a session may take without asking, and which not at all. */
export type Mode = 'confirm' | 'workspace-write' | 'full-access' | 'read-only' | 'plan';

/** The mode of a new session. */
export const defaultMode: Mode = 'confirm';

/** The modes a session offers, as the client shows them. */
export const modes: readonly (SessionMode & { readonly id: Mode })[] = [
  { id: 'confirm', name: 'Confirm', description: 'Asks before each change of a file and each command' },
  {
    id: 'workspace-write',
    name: 'Workspace write',
    description: "Changes files inside the session's directories without asking; asks before each command",
  },
  {
    id: 'full-access',
    name: 'Full access',
    description: "Changes files inside the session's directories and runs commands without asking",
  },
  { id: 'read-only', name: 'Read only', description: 'Refuses each change of a file and each command' },
  {
    id: 'plan',
    name: 'Plan',
    description: 'Reads and proposes; refuses each change of a file and each command',
  },
];

/** The mode with this id; a client may set ids that are no mode of ours. */
export function findMode(id: string): Mode | undefined {
  return modes.find((mode) => mode.id === id)?.id;
}
