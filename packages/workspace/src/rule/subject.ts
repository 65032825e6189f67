/** The known effects of a tool call, which rules are matched with. */
export interface Subject {
  /** The effective ACP kind. */
  readonly kind?: string;
  /** Further kinds that the call declares: rules that deny or ask about them apply too. @default none */
  readonly otherKinds?: readonly string[];
  /** The name of the tool. */
  readonly tool?: string;
  /** A shell line, or the words of a program and its arguments. */
  readonly command?: string | readonly string[];
  /** Where the command starts, absolute. @default the session's directory */
  readonly directory?: string;
  /** Absolute. A link is included twice: as named, and with its target. */
  readonly paths: readonly string[];
  /** The names of variables that are set for the command. @default none */
  readonly variables?: readonly string[];
  /**
   * Those of `paths`, and the command's folder, that are outside of the session: only a rule with a path allows them.
   */
  readonly outside?: readonly string[];
  /** Those of `paths` that are protected: only a rule that names them literally allows them. */
  readonly protected?: readonly string[];
  /** The host of a fetch, with its port unless it is the default. */
  readonly host?: string;
  /** The agent of the call: its configured name, or its command. */
  readonly agent?: string;
}
