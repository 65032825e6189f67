import type { Command } from 'commander';
import {
  addConversationOptions,
  type ConversationCommandOptions,
} from '../conversation/conversation-options.ts';
import type { TypedConversationFlags } from '../conversation/flags.ts';

/** Adds `parley chat`. */
export function addChatCommand(
  root: Command,
  { surroundings, finish, ...behind }: ConversationCommandOptions,
): void {
  const command = root
    .command('chat')
    .summary('a conversation in the terminal')
    .description('Talks with an agent, line by line.')
    .usage('[options] [-- CMD ARG…]');
  addConversationOptions(command).action(async (flags: Omit<TypedConversationFlags, 'command'>) => {
    const { chat } = await import('./chat.ts');
    finish(await chat({ ...flags, ...behind }, surroundings));
  });
}
