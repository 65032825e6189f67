import { configOptionUpdate, currentModeUpdate } from '../conversation/setting-updates.ts';
import { findMode, modes } from '../permission/mode.ts';
import type { Mode } from '../permission/mode.ts';
import type { Command } from './command.ts';

/** `/mode`: shows or changes what the session may do. */
export const modeCommand: Command = {
  name: 'mode',
  description: 'Show the modes, or change to one',
  hint: '[ID]',
  run: async (argument, { conversation, client }) => {
    if (argument === '') return list(conversation.mode);
    const mode = findMode(argument);
    if (mode === undefined) return `Unknown mode \`${argument}\`.\n\n${list(conversation.mode)}`;
    conversation.setMode(mode);
    await client.update(currentModeUpdate(mode));
    await client.update(configOptionUpdate(conversation));
    return `The mode is \`${mode}\` now.`;
  },
};

/** A line of Markdown for each mode. */
export function modeLines(current: Mode): readonly string[] {
  return modes.map(({ id, description }) => {
    const what = description === undefined ? '' : `: ${description}`;
    return `- \`${id}\`${id === current ? ' (now)' : ''}${what}`;
  });
}

function list(current: Mode): string {
  return [`The mode is \`${current}\`. There are:`, '', ...modeLines(current)].join('\n');
}
