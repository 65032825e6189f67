import type { SessionUpdate } from '@parley/acp';
import { clearCommand } from './clear.ts';
import type { Command } from './command.ts';
import { compactCommand } from './compact.ts';
import { createHelpCommand } from './help.ts';
import { modeCommand } from './mode.ts';
import { modelCommand } from './model.ts';
import { permissionsCommand } from './permissions.ts';
import { usageCommand } from './usage.ts';

/** What a user can type, in the order of the list. */
export const commands: readonly Command[] = [
  createHelpCommand(() => commands),
  modelCommand,
  modeCommand,
  permissionsCommand,
  usageCommand,
  clearCommand,
  compactCommand,
];

/** Sends a client the commands that its user can type. */
export function availableCommandsUpdate(): SessionUpdate {
  return {
    sessionUpdate: 'available_commands_update',
    availableCommands: commands.map(({ name, description, hint }) => ({
      name,
      description,
      ...(hint !== undefined && { input: { hint } }),
    })),
  };
}
