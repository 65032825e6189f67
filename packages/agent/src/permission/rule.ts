import type { Rule } from '@parley/workspace/rule';

/** A rule that was there before the session. */
export interface ConfiguredRule extends Rule {
  /** Who made it. @default the user */
  readonly origin?: 'user' | 'project';
}
