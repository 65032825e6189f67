import { RpcError } from '@parley/wire';
import type { Session } from '../session/session.ts';
import { configOptionUpdate } from '../session/setting-updates.ts';
import type { Command } from './command.ts';

/** `/model`: shows or changes what thinks. */
export const modelCommand: Command = {
  name: 'model',
  description: 'Show the models, or change to one',
  hint: '[PROVIDER/MODEL]',
  run: async (argument, { session, client }) => {
    if (argument === '') return list(session);
    try {
      await session.setModel(argument);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return `The model cannot be \`${argument}\`: ${error.message}.\n\n${list(session)}`;
    }
    await client.update(configOptionUpdate(session));
    return `The model is \`${session.model.current.id}\` from the next response on.`;
  },
};

function list({ model }: Session): string {
  return [
    `The model is \`${model.current.id}\`. These are known:`,
    '',
    ...model.ids.map((id) => `- \`${id}\``),
  ].join('\n');
}
