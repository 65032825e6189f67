import { at, type SessionState } from '@parley/host/state';
import { toolState } from './tool-call/tool-state.ts';

/** The state of a session for screen readers, which announce events rather than each word. */
export interface Summary {
  readonly turns: number;
  /** Of the last turn. */
  readonly isRunning: boolean;
  /** Tool calls of the last turn that are over. */
  readonly calls: number;
  readonly failed: number;
}

/** The events between two summaries, in the order of their announcement. */
export type Happening =
  | { readonly kind: 'began' }
  | { readonly kind: 'calls'; readonly done: number; readonly failed: number }
  | { readonly kind: 'ended' };

/** Summarizes the status of a session. */
export function summarise(view: SessionState): Summary {
  const turn = at(view.turns, view.turns.length - 1);
  let calls = 0;
  let failed = 0;
  for (let index = turn?.firstItem ?? view.items.length; index < view.items.length; index += 1) {
    const item = at(view.items, index);
    if (item?.kind !== 'tool-call') continue;
    const state = toolState(item);
    if (state === 'done' || state === 'failed' || state === 'rejected') calls += 1;
    if (state === 'failed') failed += 1;
  }
  return { turns: view.turns.length, isRunning: turn?.state === 'running', calls, failed };
}

/** The events to announce. */
export function happenings(before: Summary, after: Summary): readonly Happening[] {
  const isNew = after.turns > before.turns;
  const known = isNew ? { calls: 0, failed: 0, isRunning: false } : before;
  const done = after.calls - known.calls;
  return [
    ...(isNew ? [{ kind: 'began' } as const] : []),
    ...(done > 0 ? [{ kind: 'calls', done, failed: Math.max(0, after.failed - known.failed) } as const] : []),
    ...(!after.isRunning && (known.isRunning || isNew) ? [{ kind: 'ended' } as const] : []),
  ];
}
