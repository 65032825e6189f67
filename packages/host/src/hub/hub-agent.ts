import type { AgentCapabilities, Implementation, SessionConfigOption, SessionModeState } from '@parley/acp';
import type { SignInMethod } from '../agent/authentication/sign-in-method.ts';

/** Where an agent is known from, and whether it can be started. */
export type AgentPlace = 'own' | 'configured' | 'installed' | 'available';

/** Whether the user is signed in to an agent, as far as it is known. */
export type SignInState = 'unknown' | 'not-needed' | 'signed-in' | 'needed';

/** An agent as lists show it. */
export interface HubAgent {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly version?: string;
  readonly place: AgentPlace;
  /** The one that is meant where none is named. */
  readonly isDefault?: true;
  /** How to get one that is `available`. */
  readonly install?: string;
  readonly website?: string;
  readonly signIn: SignInState;
  /** The result of its last probe. */
  readonly card?: AgentCard;
}

/** What an agent says of itself when it is started. */
export interface AgentCard {
  /** When it was looked at, in milliseconds since 1970. */
  readonly time: number;
  readonly startMs: number;
  /** Why it could not be started, where it could not; the rest is empty then. */
  readonly failure?: string;
  readonly info?: Implementation;
  readonly protocolVersion?: number;
  readonly capabilities?: AgentCapabilities;
  readonly signInMethods: readonly SignInMethod[];
  /** The command that a way of the kind `terminal` runs, by its id. */
  readonly signInCommands?: Readonly<Record<string, string>>;
  readonly modes?: SessionModeState;
  readonly configOptions?: readonly SessionConfigOption[];
  /** The end of what it wrote to standard error. */
  readonly log: string;
}
