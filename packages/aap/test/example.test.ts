import { createAapClient, messageText, runTurn } from '@parley/aap';
import { createAapServer, type ServedAgent } from '@parley/aap/server';
import { expect, test } from 'vitest';

// The agent of docs/aap.md.

const forecast = { name: 'forecast', description: 'The weather of a city.', parameters: { type: 'object' } };

const weather: ServedAgent = {
  info: {
    name: 'weather',
    version: '1.0.0',
    tools: [forecast],
    capabilities: { stream: { delta: {}, message: {}, none: {} }, history: { full: {} } },
  },
  async run(run) {
    const call = {
      toolCallId: crypto.randomUUID(),
      name: 'forecast',
      input: { city: messageText(run.input) },
    };
    const { granted } = await run.permission(call);
    if (granted) await run.toolResult({ toolCallId: call.toolCallId, content: 'Rain.' });
    await run.text(granted ? 'Take an umbrella.' : 'Look out of the window.');
    return { stopReason: 'end_turn' };
  },
};

test('the agent of the documentation asks, and answers', async () => {
  const server = createAapServer([weather], { limits: { quietMs: 1 } });
  const client = createAapClient({
    baseUrl: 'http://localhost',
    fetch: (url, init) => server.handle(new Request(url, init)),
  });
  const { sessionId } = await client.createSession({
    agent: { name: 'weather', tools: [{ name: 'forecast' }] },
  });
  const asked: unknown[] = [];
  const { messages } = await runTurn(client, sessionId, 'Bern', {
    permission: ({ input }) => asked.push(input) === 1,
  });
  expect(asked).toEqual([{ city: 'Bern' }]);
  expect(messages.map((message) => (message.role === 'assistant' ? messageText(message) : ''))).toContain(
    'Take an umbrella.',
  );
});
