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
  /** Shows the output while it grows, in the place of what was shown before. */
  show(content: readonly ToolCallContent[]): Promise<void>;
}

/** A command that came to its end. */
export interface RanCommand {
  readonly result: CommandResult;
  /** Shows the output to people, in the place of its text. @default its text does */
  readonly terminal?: ToolCallContent;
}
