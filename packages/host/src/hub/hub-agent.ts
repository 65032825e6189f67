import type { AgentCapabilities, Implementation, SessionConfigOption, SessionModeState } from '@parley/acp';
import type { AuthAccount, ProviderInfo } from '@parley/acp/unstable';
import type { SignInMethod } from '../agent/authentication/sign-in-method.ts';

/** The source of an agent, and whether it can be started. */
export type AgentPlace = 'own' | 'configured' | 'installed' | 'available';

/** Whether the user is signed in to an agent, if known. */
export type SignInState = 'unknown' | 'not-needed' | 'signed-in' | 'needed';

/** An agent in lists. */
export interface HubAgent {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly version?: string;
  readonly place: AgentPlace;
  /** Whether it is used if no agent is named. */
  readonly isDefault?: true;
  /** How to install an agent that is `available`: a command, or what is missing. */
  readonly install?: string;
  /** Whether the hub can install it. */
  readonly canInstall?: true;
  /** The running installation. */
  readonly installing?: AgentInstallation;
  /** Whether it is in the user's configuration, and can be removed. */
  readonly canRemove?: true;
  readonly website?: string;
  readonly signIn: SignInState;
  /** The accounts that it uses, as it reported them last. For display only. */
  readonly accounts?: readonly AuthAccount[];
  /** The result of its last probe. */
  readonly card?: AgentCard;
}

/** The progress of an installation. */
export interface AgentInstallation {
  /** The start time, in milliseconds since 1970. */
  readonly since: number;
  /** Number of downloaded files. */
  readonly fetched: number;
}

/** The data that an agent reports when it is started. */
export interface AgentCard {
  /** The time of the probe, in milliseconds since 1970. */
  readonly time: number;
  readonly startMs: number;
  /** Why it could not be started; the other fields are then empty. */
  readonly failure?: string;
  readonly info?: Implementation;
  readonly protocolVersion?: number;
  readonly capabilities?: AgentCapabilities;
  readonly signInMethods: readonly SignInMethod[];
  /** The commands of sign-in methods of the type `terminal`, by id. */
  readonly signInCommands?: Readonly<Record<string, string>>;
  readonly modes?: SessionModeState;
  readonly configOptions?: readonly SessionConfigOption[];
  /** The model providers that the configuration can route elsewhere. */
  readonly providers?: readonly ProviderInfo[];
  /** The end of its standard error. */
  readonly log: string;
}
