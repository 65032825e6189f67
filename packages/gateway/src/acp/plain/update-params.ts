import type { Meta } from '@parley/acp';

/** The params of a `session/update`. */
export interface UpdateParams {
  /** The id of the sub-agent's session. @default the session itself */
  readonly sessionId?: string;
  readonly update: unknown;
  readonly _meta?: Meta;
}
