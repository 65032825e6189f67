import type { Turn } from '../turn/turn.ts';

/** Something the user can have done by the agent itself, without the model: a prompt that begins with `/name`. */
export interface Command {
  readonly name: string;
  /** One line, for a list. */
  readonly description: string;
  /** The hint that clients show for the argument. Absent if there is none. */
  readonly hint?: string;
  /**
   * Runs the command and returns its answer as Markdown. An `RpcError` or `AgentError` becomes the answer too.
   *
   * @param argument The text after the name, trimmed; may be empty.
   */
  run(argument: string, turn: Turn): string | Promise<string>;
}
