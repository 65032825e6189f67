import type { Command } from './command.ts';
import { modeLines } from './mode.ts';

/** `/help`: lists the commands and what the agent can do. */
export function createHelpCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'help',
    description: 'Show the commands, the modes, and what the agent can do',
    run: (_argument, { conversation, offerTools }) =>
      [
        'I am Parley, a coding agent: say what you need, and I read, search, change files and run commands in ' +
          'the directories of this session. Before a change I ask, where the mode says so.',
        ['**Commands**', ...commands().map(toLine)].join('\n'),
        ['**Modes**', ...modeLines(conversation.mode)].join('\n'),
        `**Tools**: ${offerTools()
          .map(({ name }) => `\`${name}\``)
          .join(', ')}`,
        `**Model**: \`${conversation.model.current.id}\``,
      ].join('\n\n'),
  };
}

function toLine({ name, hint, description }: Command): string {
  return `- \`/${name}${hint === undefined ? '' : ` ${hint}`}\`: ${description}`;
}
