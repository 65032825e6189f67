/** A child session of the agent's, which works for the session: a sub-agent. */
export interface SubagentName {
  /** What the agent calls the child session. */
  readonly sessionId: string;
  /** The title that its parent reported. The text comes from the agent and may contain anything. */
  readonly title?: string;
}
