import type { ChangedPath } from '@parley/host/state';
import { createContext, use, type Context } from 'react';
import type { DiffLine } from '../conversation/diff/to-diff.ts';

/** The actions of the panel's rows. */
export interface PanelActions {
  readonly sessionKey: string;
  /** The turn that is shown. @default the whole session */
  readonly turn: number | undefined;
  readonly isObserver: boolean;
  /** A review is being asked for. */
  readonly isBusy: boolean;
  /** Hunks that can be kept and reverted. */
  readonly current: ReadonlySet<string>;
  readonly toggle: (fileKey: string, isOpen: boolean) => void;
  readonly keep: (hunks: readonly string[]) => void;
  readonly revert: (hunks: readonly string[]) => void;
  readonly undoFile: (path: ChangedPath) => void;
  /** Opens the form for a comment below a row; undefined where nothing can be prompted. */
  readonly comment: ((rowKey: string | undefined) => void) | undefined;
  readonly addComment: (path: string, lines: readonly DiffLine[], comment: string) => void;
}

/** The panel around a row. */
export const PanelContext: Context<PanelActions | undefined> = createContext<PanelActions | undefined>(
  undefined,
);

/** Returns the actions of the panel. */
export function usePanel(): PanelActions {
  const panel = use(PanelContext);
  if (panel === undefined) throw new Error('there is no panel around this');
  return panel;
}
