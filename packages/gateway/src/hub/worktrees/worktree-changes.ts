import { recordsVersion } from '@parley/workspace/worktree';
import type { HubOptions } from '../hub-options.ts';

/** Notices changes in the records of worktrees, including those by other processes. */
export class WorktreeChanges {
  readonly #options: Pick<HubOptions, 'worktrees' | 'onFault'>;
  readonly #onChange: () => void;
  #version: string | undefined;
  #isLooking = false;

  constructor(options: Pick<HubOptions, 'worktrees' | 'onFault'>, onChange: () => void) {
    this.#options = options;
    this.#onChange = onChange;
  }

  /** Schedules a check for changes. */
  look(): void {
    const { worktrees, onFault } = this.#options;
    if (worktrees === undefined || this.#isLooking) return;
    this.#isLooking = true;
    recordsVersion(worktrees)
      .then((version) => {
        const isKnown = this.#version === version;
        this.#version = version;
        if (!isKnown) this.#onChange();
      })
      .catch((error: unknown) => onFault?.(error))
      .finally(() => {
        this.#isLooking = false;
      });
  }
}
