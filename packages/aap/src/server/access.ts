/** Who makes a request, and what they may do. */
export interface Access {
  /** What they are called, such as the name of their token; agents are given it with each message. @default they have no name */
  readonly name?: string;
  /** Whose sessions are seen and made; those of others do not exist. @default one for all who have none */
  readonly tenant?: string;
  /** Whether the sessions of all others are there too. What is made is the tenant's. @default false */
  readonly seesAll?: boolean;
  /** Whether sessions may be looked at only. @default false */
  readonly isReadOnly?: boolean;
  /** The agents that there are for them, by name. @default all */
  readonly agents?: readonly string[];
}

/** Whether a session is there for them. */
export function maySee({ tenant, seesAll = false }: Access, owner: string | undefined): boolean {
  return seesAll || tenant === owner;
}
