import { createAgent } from '@parley/acp';
import { processTransport } from '@parley/wire/node';

let sessions = 0;

const agent = createAgent({
  info: { name: 'echo', version: '1.0.0' },
  handlers: {
    'session/new': () => ({ sessionId: `echo-${++sessions}` }),
    async 'session/prompt'({ sessionId, prompt }, { client, update }) {
      const toolCall = { toolCallId: 'loud', title: 'Speak up' };
      await update({ sessionUpdate: 'tool_call', ...toolCall });
      const { outcome } = await client.request('session/request_permission', {
        sessionId,
        toolCall,
        options: [{ optionId: 'yes', name: 'Go on', kind: 'allow_once' }],
      });
      for (const block of prompt) {
        if (block.type !== 'text') continue;
        const text = outcome.outcome === 'selected' ? block.text.toUpperCase() : block.text;
        await update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
      }
      return { stopReason: 'end_turn' };
    },
  },
});

await agent.connect(processTransport()).closed;
