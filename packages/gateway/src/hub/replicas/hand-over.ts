import { invalidRequest } from '@parley/acp';
import type { Replica, Session, SessionLocation } from '@parley/host';
import type { RpcError } from '@parley/wire';

/** Whether a folder belongs to a workspace of a replica. */
export function hasFolder({ workspaces }: Replica, folder: string): boolean {
  return workspaces.some(
    (workspace) => folder === workspace.folder || folder.startsWith(`${workspace.folder}/`),
  );
}

/** Whether a replica may run another agent, as far as this process knows. */
export function hasRoom({ slots, taken }: Replica): boolean {
  return taken < slots;
}

/**
 * The replica that a session is handed to.
 *
 * @param name @default any that has its folder and room
 * @throws {RpcError} No other replica can resume it.
 */
export function targetOf(
  { owner, replicas, folderName }: SessionLocation,
  name: string | undefined,
  all: readonly Replica[],
): Replica {
  const others = replicas.filter(({ id }) => id !== owner?.id);
  const named = name === undefined ? others : others.filter((other) => other.name === name);
  const target = named.find(hasRoom);
  if (target !== undefined) return target;
  const [full] = named;
  if (full !== undefined) {
    const use = `${String(full.taken)} of ${String(full.slots)} agents run there`;
    throw refuse(
      'no-room',
      `${quote(full.name)} has no room: ${use}. Close a session there, or choose another machine`,
    );
  }
  if (name === undefined) throw refuse('no-machine', `no other machine has its folder, ${folderName}`);
  if (owner?.name === name) throw refuse('no-machine', `${quote(name)} runs it already`);
  if (!all.some((other) => other.name === name)) {
    throw refuse('no-machine', `there is no machine ${quote(name)}`);
  }
  const missing = `${quote(name)} does not have its folder, ${folderName}`;
  throw refuse(
    'no-machine',
    `${missing}. Machines that share a folder name it alike: --workspace NAME=FOLDER`,
  );
}

/** Ends a session here, so that another replica can resume it. @throws {RpcError} A turn is running, and must not be stopped. */
export async function endForHandOver(session: Session, stopsTurn: boolean): Promise<void> {
  const { turns, subagents } = session;
  if (turns.isBusy && !stopsTurn) {
    throw refuse('turn-running', 'a turn is running: wait until it has ended, or stop it');
  }
  if (subagents.areWorking && !stopsTurn) {
    throw refuse('turn-running', 'sub-agents are working: wait until they are idle, or stop them');
  }
  await session.shutDown();
}

/** Why the session of a delegate is not handed over. */
export function belongsToParent(): RpcError {
  return refuse('delegate', 'it works for another session, and stays on its machine');
}

/** Why a session that a third replica has resumed in between is not handed over. */
export function resumedElsewhere(): RpcError {
  return refuse('no-machine', 'another machine has resumed it in the meantime');
}

function refuse(code: 'turn-running' | 'no-machine' | 'no-room' | 'delegate', reason: string): RpcError {
  return invalidRequest(`hand over a session: ${reason}`, { code });
}

function quote(name: string): string {
  return JSON.stringify(name);
}
