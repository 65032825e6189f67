/** Bounds of the delegates of a session. */
export interface DelegationLimits {
  /** Maximum depth of delegation: with 1, a delegate cannot delegate. @default 1 */
  readonly maxDepth: number;
  /** Delegates that work at the same time, at any depth. @default 4 */
  readonly maxRunning: number;
  /** Delegates that a session begins in all, at any depth, including stored ones of earlier runs. @default 16 */
  readonly maxTotal: number;
}

/** The bounds of delegates unless the configuration has others. */
export const defaultDelegationLimits: DelegationLimits = { maxDepth: 1, maxRunning: 4, maxTotal: 16 };
