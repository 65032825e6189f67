import { createClient } from '@parley/acp';
import { memoryPair } from '@parley/wire';
import { expect, test } from 'vitest';
import { AgentError, unknownModel, type Model, type ModelPart } from '../src/index.ts';
import { serveAgent } from '../src/node/index.ts';

test('the failure of a model of the user is shown with its message', async () => {
  const [clientEnd, agentEnd] = memoryPair();
  await using _agent = serveAgent({ transport: agentEnd, model: failing('the model is not loaded') });
  const texts: string[] = [];
  const client = createClient({
    info: { name: 'test', version: '1' },
    handlers: {
      'session/request_permission': () => ({ outcome: { outcome: 'cancelled' } }),
      'session/update'({ update }) {
        if (update.sessionUpdate !== 'agent_message_chunk' || update.content.type !== 'text') return;
        texts.push(update.content.text);
      },
    },
  });
  await using connection = client.connect(clientEnd);
  await connection.initialize();
  const { sessionId } = await connection.agent.request('session/new', {
    cwd: process.cwd(),
    mcpServers: [],
  });

  const answer = connection.agent.request('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text: 'Hello' }],
  });

  await expect(answer).rejects.toMatchObject({
    message: 'the model is not loaded',
    data: { code: 'model-failed' },
  });
  expect(texts).toEqual(['Error: the model is not loaded']);
});

test('a source of models can say that a provider has no such model', () => {
  expect(unknownModel('mine', 'three')).toMatchObject({ code: 'unknown-model' });
});

function failing(message: string): Model {
  return {
    id: 'mine/one',
    contextSize: 100_000,
    respond: (): AsyncIterable<ModelPart> => {
      throw new AgentError('model-failed', message);
    },
  };
}
