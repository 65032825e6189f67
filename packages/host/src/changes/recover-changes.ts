import { access } from 'node:fs/promises';
import type { Checkpoints } from '@parley/workspace/checkpoint';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { SessionStore } from '../store/session-store.ts';
import { finishRestore } from './finish-restore.ts';
import type { PendingEvents } from './pending-events.ts';
import { Attribution } from './turn/attribution.ts';
import { toChangesEvent } from './turn/changed-files.ts';
import type { RunningTurns, UnfinishedTurn } from './turn/running-turns.ts';
import { toWritingEvent } from './turn/writing-event.ts';

/** Where a killed process may have left something. */
export interface RecoverChangesOptions {
  readonly workspace: string;
  readonly stateDir: string;
  readonly store: SessionStore;
  readonly checkpoints: Checkpoints;
  readonly turns: RunningTurns;
  readonly pending: PendingEvents;
  readonly machine?: string;
  /**
   * Receives a message about each restore that was completed or rolled back, and the key of its session. @default only
   * the event log of that session contains it
   */
  readonly onFinished?: ((message: string, key: string) => void) | undefined;
}

/** Recoveries that run in this process, by state folder and workspace. */
const recoveries = new Map<string, Promise<void>>();

/**
 * Recovers a folder after killed processes: restores are completed or rolled back, and turns are closed. Sessions of a folder that
 * are opened at once share one recovery: each of them would wait for the same lock.
 */
export function recoverChanges(options: RecoverChangesOptions): Promise<void> {
  const id = JSON.stringify([options.stateDir, options.workspace]);
  const known = recoveries.get(id);
  if (known !== undefined) return known;
  const recovery = recover(options).finally(() => recoveries.delete(id));
  recoveries.set(id, recovery);
  return recovery;
}

async function recover(options: RecoverChangesOptions): Promise<void> {
  const { workspace, turns } = options;
  // A folder that was removed is recovered when it is back.
  if (!(await isThere(workspace))) return;
  await turns.alone(async () => {
    await finishRestore(options);
    for (const turn of await turns.unfinished(workspace)) await closeTurn(turn, options);
  });
}

async function isThere(folder: string): Promise<boolean> {
  return access(folder).then(
    () => true,
    () => false,
  );
}

/** The files as they are now are those after the turn. */
async function closeTurn(turn: UnfinishedTurn, options: RecoverChangesOptions): Promise<void> {
  const { checkpoints, pending, workspace, store, machine } = options;
  const { before, key, aliveAt } = turn;
  if (before !== undefined) {
    const omitted = await checkpoints.omitted(before);
    const after = await checkpoints.take();
    const attribution = new Attribution([workspace]);
    await attribute(attribution, turn, store);
    const event = await toChangesEvent(checkpoints, {
      turn,
      before: { id: before, omitted },
      after,
      attribution,
      machine,
      endedAt: aliveAt,
    });
    if (event !== undefined) await pending.add(key, event);
  }
  await turn.done();
}

/** Reads which changes tool calls of the turn account for. A session without an event log gives none. */
async function attribute(
  attribution: Attribution,
  { key, turnId, startedAt, aliveAt }: UnfinishedTurn,
  store: SessionStore,
): Promise<void> {
  let isOfTurn = false;
  attribution.beginTurn(startedAt);
  const note = (event: LoggedEvent): void => {
    if (event.type === 'turn-start') isOfTurn = event.turnId === turnId;
    const writing = isOfTurn ? toWritingEvent(event) : undefined;
    if (writing !== undefined) attribution.note(writing, event.time);
  };
  await store.read(key, note).catch(() => undefined);
  attribution.endTurn(aliveAt + lastSignMs);
}

/** How long a turn may have continued after its last sign of activity. */
const lastSignMs = 6000;
