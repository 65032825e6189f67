import type { Turn } from '../turn/turn.ts';

/** Something the user can have done by the agent itself, without the model: a prompt that begins with `/name`. */
export interface Command {
  readonly name: string;
  /** One line, for a list. */
  readonly description: string;
  /** What may follow the name, as a client shows it while nothing is typed. Absent when nothing may. */
  readonly hint?: string;
  /**
   * Gives the answer, Markdown. What it throws as an `RpcError` or `AgentError` is an answer too.
   *
   * @param argument What follows the name, without white space around it; empty when nothing does.
   */
  run(argument: string, turn: Turn): string | Promise<string>;
}
