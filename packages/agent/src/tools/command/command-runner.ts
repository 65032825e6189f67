import type { ToolCallContent } from '@parley/acp';
import type { CommandResult } from '../../environment.ts';

/** Runs the command of a tool call and waits for its end: on this machine, or in a terminal of the client. */
export interface CommandRunner {
  run(command: string, options: RunOptions): Promise<RanCommand>;
}

/** Where a command runs, for how long, and who watches. */
export interface RunOptions {
  readonly cwd: string;
  /** Aborting ends the command; that is a result, not an error. */
  readonly signal: AbortSignal;
  /** Displays the growing output, in place of the previous one. */
  show(content: readonly ToolCallContent[]): Promise<void>;
}

/** A command that came to its end. */
export interface RanCommand {
  readonly result: CommandResult;
  /** Displays the output to users, in place of its text. @default the text is displayed */
  readonly terminal?: ToolCallContent;
}
