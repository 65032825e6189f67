/** Which agent is asked about what it keeps itself. */
export interface TypedAgentFlags {
  readonly agent?: string;
  /** What stood behind `--`; absent when there was no `--`. */
  readonly command?: readonly string[];
  readonly cwd?: string;
  readonly config?: string;
}

/** Whether an agent is asked, and not what is kept here. */
export function asksAgent({ agent, command }: TypedAgentFlags): boolean {
  return agent !== undefined || command !== undefined;
}
