import { finishRestores, type Checkpoints } from '@parley/workspace/checkpoint';
import type { ChangesOperationEvent } from '../event/changes-event.ts';
import { parseLoggedEvent } from '../event/parse-logged-event.ts';
import { listedFiles } from './changes-settings.ts';
import type { PendingEvents } from './pending-events.ts';

/** An event of an operation that wrote files. */
export type WrittenEvent = Extract<ChangesOperationEvent, { readonly after: string }>;

/** A restore that is being applied, stored in case the process is killed. Its event is complete only at the end. */
export interface RestoreNote {
  /** The session's key. */
  readonly key: string;
  readonly event: WrittenEvent;
}

/** Where a restore may have been left. */
export interface FinishRestoreOptions {
  readonly workspace: string;
  readonly stateDir: string;
  readonly checkpoints: Checkpoints;
  readonly pending: PendingEvents;
  /**
   * Receives a message about each finished restore, as in the session's event log, and the session's key. @default only the event log
   * contains it
   */
  readonly onFinished?: ((message: string, key: string) => void) | undefined;
}

/** Completes or rolls back the restores that killed processes left in a folder, and reports this in their sessions. */
export async function finishRestore({
  workspace,
  stateDir,
  checkpoints,
  pending,
  onFinished,
}: FinishRestoreOptions): Promise<void> {
  await finishRestores({
    workspace,
    stateDir,
    record: async ({ outcome, note, files, left }) => {
      const noted = parseNote(note);
      if (noted === undefined) return;
      const { key, event } = noted;
      if (outcome === 'completed') {
        const { id: after } = await checkpoints.take({ including: files.map(({ path }) => path) });
        await pending.add(key, { ...event, after, ...listedFiles(files) });
      }
      const done = outcome === 'completed' ? 'completed' : 'taken back';
      const alone =
        left.length === 0
          ? ''
          : `; ${String(left.length)} files were changed in the meantime and not restored`;
      const message = `${wordOf(event)} was interrupted, and is ${done} now${alone}`;
      await pending.add(key, { type: 'diagnostic', level: 'warning', code: 'changes', message });
      onFinished?.(message, key);
    },
  });
}

function wordOf({ type }: WrittenEvent): string {
  switch (type) {
    case 'changes-undone':
      return 'an undo';
    case 'changes-redone':
      return 'a redo';
    case 'hunks-reverted':
      return 'a revert';
  }
}

function parseNote(note: unknown): RestoreNote | undefined {
  if (typeof note !== 'object' || note === null || !('key' in note) || !('event' in note)) return undefined;
  if (typeof note.key !== 'string') return undefined;
  const event = parseLoggedEvent({ ...Object(note.event), seq: 1, time: 1 });
  switch (event?.type) {
    case 'changes-undone':
    case 'changes-redone':
    case 'hunks-reverted': {
      const { seq: _seq, time: _time, ...entry } = event;
      return { key: note.key, event: entry };
    }
    default:
      return undefined;
  }
}
