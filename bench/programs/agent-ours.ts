import { createAgent } from '@parley/acp';
import { processTransport } from '@parley/wire/node';
import { readPath, sessionId } from './payload.ts';
import { perform } from './perform.ts';

createAgent({
  info: { name: 'bench-agent', version: '1.0.0' },
  handlers: {
    'session/new': () => ({ sessionId }),
    'session/prompt': async ({ prompt: [block] }, { update, client }) => {
      await perform(block?.type === 'text' ? block.text : '', {
        update,
        read: async () => {
          const { content } = await client.request('fs/read_text_file', { sessionId, path: readPath });
          return content;
        },
      });
      return { stopReason: 'end_turn' };
    },
  },
}).connect(processTransport());
