/** The client of a request and its rights. */
export interface Access {
  /**
   * The display name of the client, such as the name of its token; agents receive it with each message. @default none
   */
  readonly name?: string;
  /**
   * The owner of the client's sessions; sessions of other owners are invisible. @default one owner for all clients
   * without one
   */
  readonly tenant?: string;
  /** Whether the sessions of all owners are visible. New sessions still belong to the tenant. @default false */
  readonly seesAll?: boolean;
  /** Whether access is read-only. @default false */
  readonly isReadOnly?: boolean;
  /** The names of the visible agents. @default all */
  readonly agents?: readonly string[];
}

/** Whether a session is there for them. */
export function maySee({ tenant, seesAll = false }: Access, owner: string | undefined): boolean {
  return seesAll || tenant === owner;
}
