/** A machine that serves the sessions of a hub, as others know it. */
export interface HubMachine {
  readonly name: string;
  /** The client is connected to it. */
  readonly isThis: boolean;
  /** Its workspaces: their names, else their folders. */
  readonly workspaces: readonly string[];
  /** When it joined the hub, in milliseconds since 1970. */
  readonly since: number;
  /** When its lease expired, in milliseconds since 1970: its sessions continue on other machines. @default it is alive */
  readonly silentSince?: number;
  /** Agent processes in use, and how many it may run. @default the token does not see the sessions of others */
  readonly agents?: { readonly used: number; readonly slots: number };
}
