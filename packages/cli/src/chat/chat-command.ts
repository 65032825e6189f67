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
    .summary('chat with an agent in the terminal')
    .description('Starts a conversation with an agent in the terminal.')
    .usage('[options] [-- CMD ARG…]');
  addConversationOptions(command).action(async (flags: Omit<TypedConversationFlags, 'command'>) => {
    const { chat } = await import('./chat.ts');
    finish(await chat({ ...flags, ...behind }, surroundings));
  });
}
