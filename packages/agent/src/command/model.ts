import { RpcError } from '@parley/wire';
import type { Conversation } from '../conversation/conversation.ts';
import { configOptionUpdate } from '../conversation/setting-updates.ts';
import type { Command } from './command.ts';

/** `/model`: shows or changes what thinks. */
export const modelCommand: Command = {
  name: 'model',
  description: 'Show the models, or change to one',
  hint: '[PROVIDER/MODEL]',
  run: async (argument, { conversation, client }) => {
    if (argument === '') return list(conversation);
    try {
      await conversation.setModel(argument);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return `The model cannot be \`${argument}\`: ${error.message}.\n\n${list(conversation)}`;
    }
    await client.update(configOptionUpdate(conversation));
    return `The model is \`${conversation.model.current.id}\` from the next response on.`;
  },
};

function list({ model }: Conversation): string {
  return [
    `The model is \`${model.current.id}\`. These are known:`,
    '',
    ...model.ids.map((id) => `- \`${id}\``),
  ].join('\n');
}
