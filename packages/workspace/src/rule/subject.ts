/** What a tool call would do, as far as it shows: what rules are held against. */
export interface Subject {
  /** The ACP kind that counts. */
  readonly kind?: string;
  /** Kinds that the call claims besides: what denies or asks about one of them holds too. @default none */
  readonly otherKinds?: readonly string[];
  /** The name of the tool. */
  readonly tool?: string;
  /** A shell line, or the words of a program and its arguments. */
  readonly command?: string | readonly string[];
  /** Where the command starts, absolute. @default the session's directory */
  readonly directory?: string;
  /** Absolute. A path that is a link is there twice: as it was named, and where it leads. */
  readonly paths: readonly string[];
  /** The names of variables that are set for the command. @default none */
  readonly variables?: readonly string[];
  /** Those of `paths`, and the command's folder, that lie outside of the session: only a rule with a path allows them. */
  readonly outside?: readonly string[];
  /** Those of `paths` that are protected: only a rule that names such a place literally allows them. */
  readonly protected?: readonly string[];
  /** Where something is fetched from, with its port unless that is the usual one. */
  readonly host?: string;
  /** The agent that acts: its name here, or its command. */
  readonly agent?: string;
}
