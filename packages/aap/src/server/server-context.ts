import type { Clock } from '@parley/wire';
import type { AapSessionStore } from './aap-session-store.ts';
import type { AapServerLimits } from './limits.ts';
import type { SecretVault } from './secret-vault.ts';
import type { ServedAgent } from './served-agent.ts';
import type { ServerEvent } from './server-event.ts';
import type { KeepingRounds } from './session/keeping-rounds.ts';

/** What all parts of one server share. */
export interface ServerContext {
  readonly agents: () => readonly ServedAgent[];
  readonly store: AapSessionStore;
  readonly vault: SecretVault;
  readonly limits: AapServerLimits;
  readonly clock: Clock;
  /** When events are kept. */
  readonly rounds: KeepingRounds;
  /** The date, for time stamps. */
  readonly today: () => Date;
  /** A long random id. */
  readonly newId: () => string;
  readonly observe: (event: ServerEvent) => void;
}
