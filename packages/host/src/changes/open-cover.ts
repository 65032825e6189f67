import { openCheckpoints, type Checkpoints } from '@parley/workspace/checkpoint';
import { activityFolder, type ChangesSettings } from './changes-settings.ts';
import { PendingEvents } from './pending-events.ts';
import { realFolder, RunningTurns } from './turn/running-turns.ts';

/** A folder whose checkpoints are open. */
export interface Cover extends AsyncDisposable {
  /** Its real path. */
  readonly workspace: string;
  readonly stateDir: string;
  readonly checkpoints: Checkpoints;
  readonly turns: RunningTurns;
  readonly pending: PendingEvents;
  /** As in {@link ChangesSettings.machine}. */
  readonly machine?: string;
}

/** Opens the checkpoints of a session's folder. @throws {WorkspaceError} As `openCheckpoints`. */
export async function openCover(
  cwd: string,
  { stateDir, promptWaitMs: _wait, open = openCheckpoints, machine, ...limits }: ChangesSettings,
): Promise<Cover> {
  const workspace = await realFolder(cwd);
  const checkpoints = await open({ workspace, stateDir, limits });
  const folder = activityFolder(stateDir);
  return {
    workspace,
    stateDir,
    checkpoints,
    turns: new RunningTurns(folder),
    pending: new PendingEvents(folder),
    ...(machine !== undefined && { machine }),
    [Symbol.asyncDispose]: () => checkpoints[Symbol.asyncDispose](),
  };
}
