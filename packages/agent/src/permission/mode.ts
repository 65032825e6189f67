import type { SessionMode } from '@parley/acp';

/** Decides which actions a session may take without asking, and which not at all. */
export type Mode = 'confirm' | 'workspace-write' | 'full-access' | 'read-only' | 'plan';

/** The mode of a new session. */
export const defaultMode: Mode = 'confirm';

/** The modes a session offers, as the client shows them. */
export const modes: readonly (SessionMode & { readonly id: Mode })[] = [
  { id: 'confirm', name: 'Confirm', description: 'Edits and commands need your approval' },
  {
    id: 'workspace-write',
    name: 'Workspace write',
    description: "Edits files in the session's folders. Commands need your approval",
  },
  {
    id: 'full-access',
    name: 'Full access',
    description: "Edits files in the session's folders and runs commands without asking",
  },
  { id: 'read-only', name: 'Read only', description: 'Edits and commands are refused' },
  {
    id: 'plan',
    name: 'Plan',
    description: 'Reads and proposes a plan. Edits and commands are refused',
  },
];

/** The mode with this id; a client may set ids that are no mode of ours. */
export function findMode(id: string): Mode | undefined {
  return modes.find((mode) => mode.id === id)?.id;
}
