import type { PermissionState, ToolCallItem } from '@parley/host/state';

/** The state of a tool call, as a user sees it. */
export type ToolState =
  | 'pending'
  | 'waiting'
  | 'running'
  | 'done'
  | 'failed'
  | 'rejected'
  | 'cancelled'
  | 'unknown';

/** What became of a permission. */
export type PermissionOutcome = 'allowed' | 'rejected' | 'cancelled';

/** The displayed state of a tool call. */
export function toolState({ call: { status }, outcome, permission }: ToolCallItem): ToolState {
  const answer = outcomeOf(permission);
  if (status === 'completed') return 'done';
  if (status === 'failed') return answer === 'rejected' ? 'rejected' : 'failed';
  // A call that had not begun and was not allowed did not run, even if its agent does not say so.
  if (status !== 'in_progress' && (answer === 'rejected' || answer === 'cancelled')) return answer;
  if (outcome === 'unknown') return 'unknown';
  if (permission !== undefined && permission.answer === undefined) return 'waiting';
  return status === 'in_progress' ? 'running' : 'pending';
}

/** The outcome of a permission request; undefined while it is open, or if its option does not say. */
export function outcomeOf(permission: PermissionState | undefined): PermissionOutcome | undefined {
  if (permission?.answer === undefined) return undefined;
  const { decision } = permission.answer;
  if (decision === 'cancelled') return 'cancelled';
  const kind = permission.options.find(({ optionId }) => optionId === decision)?.kind;
  if (kind === 'allow_once' || kind === 'allow_always') return 'allowed';
  return kind === 'reject_once' || kind === 'reject_always' ? 'rejected' : undefined;
}

/** The duration of a call, as far as known: since it started running, or was announced. */
export function durationOf({ time, startedAt, endedAt }: ToolCallItem, now?: number): number | undefined {
  if (endedAt !== undefined) return endedAt - (startedAt ?? time);
  return startedAt === undefined || now === undefined ? undefined : now - startedAt;
}
