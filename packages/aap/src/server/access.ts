/** Who makes a request, and what they may do. */
export interface Access {
  /** Whose sessions are seen and made; those of others do not exist. @default one for all who have none */
  readonly tenant?: string;
  /** Whether sessions may be looked at only. @default false */
  readonly isReadOnly?: boolean;
  /** The agents that there are for them, by name. @default all */
  readonly agents?: readonly string[];
}
