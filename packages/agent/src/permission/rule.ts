/** Which tool calls a rule is about, as the configuration says it; each field that is present has to match. */
export interface RuleScope {
  readonly tool: string;
  readonly path?: string;
  readonly command?: string;
  readonly commandPrefix?: string;
  readonly host?: string;
}

/** What is decided about some tool calls. */
export interface Rule extends RuleScope {
  readonly decision: 'allow' | 'ask' | 'deny';
}

/** A rule that was there before the session. */
export interface ConfiguredRule extends Rule {
  /** Who made it. @default the user */
  readonly origin?: 'user' | 'project';
}
