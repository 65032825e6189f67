import type { AgentCapabilities, AuthMethod } from '@parley/acp';

/** The capabilities and options that an agent reported when it was started. */
export interface AgentOffer {
  readonly capabilities?: AgentCapabilities;
  readonly authMethods?: readonly AuthMethod[];
}
