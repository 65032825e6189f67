import { type CommandOptions, type CommandResult, runCommand } from '../process/run-command.ts';
import type { ProcessOptions } from '../process/start-process.ts';
import type { Sandbox } from './sandbox.ts';

/** The result of a command in a sandbox, or why it was not started. */
export type HeldResult =
  | { readonly result: CommandResult; readonly trouble?: never }
  | { readonly trouble: string; readonly result?: never };

/** How often a command is started where what its sandbox was about to hide is removed meanwhile. */
export const mostStarts = 3;

/** Runs a command in a sandbox to its end. When this returns or throws, no process of its group is left. */
export async function runHeld(
  sandbox: Sandbox,
  command: ProcessOptions,
  limits: Omit<CommandOptions, keyof ProcessOptions> = {},
): Promise<HeldResult> {
  for (let starts = 1; ; starts += 1) {
    const held = sandbox.hold(command);
    const result = await runCommand({ ...limits, ...held.options });
    // One that Parley ended may not have reached its stage.
    const trouble = result.ended === undefined ? await held.trouble() : undefined;
    if (trouble === undefined) return { result };
    if (!trouble.isPassing || starts === mostStarts) return { trouble: trouble.message };
  }
}
