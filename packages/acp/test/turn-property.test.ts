import { connect, memoryPair } from '@parley/wire';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAgent, type PromptContext, type PromptResponse } from '../src/index.ts';

const steps = ['update', 'update unawaited', 'ask', 'read', 'yield', 'fail'] as const;
type Step = (typeof steps)[number];

const text = { type: 'text', text: '' } as const;
const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }] as const;

async function take(step: Step, { update, client, sessionId }: PromptContext): Promise<void> {
  switch (step) {
    case 'update':
      return update({ sessionUpdate: 'agent_message_chunk', content: text });
    case 'update unawaited':
      return void update({ sessionUpdate: 'agent_thought_chunk', content: text });
    case 'ask':
      return void (await client.request('session/request_permission', {
        sessionId,
        toolCall: { toolCallId: 't' },
        options,
      }));
    case 'read':
      return void (await client.request('fs/read_text_file', { sessionId, path: '/a' }));
    case 'yield':
      return Promise.resolve();
    case 'fail':
      throw new Error('the turn failed');
  }
}

/** Plays turns with a cancel after so many messages, and returns the order in which messages reached the client. */
async function play(script: readonly Step[], cancelAfter: number): Promise<readonly string[]> {
  const agent = createAgent({
    info: { name: 'a', version: '1' },
    handlers: {
      'session/new': () => ({ sessionId: 's' }),
      'session/prompt': async (_params, context): Promise<PromptResponse> => {
        for (const step of script) await take(step, context);
        return { stopReason: 'end_turn' };
      },
    },
  });
  const [left, right] = memoryPair();
  const served = agent.connect(left);
  const log: string[] = [];
  const note = (entry: string): void => {
    if (log.length === cancelAfter) void raw.notify('session/cancel', { sessionId: 's' });
    log.push(entry);
  };
  const raw = connect(right, {
    onNotification: (method) => note(method),
    onRequest: async (method) => {
      note(method);
      await Promise.resolve();
      return method === 'fs/read_text_file' ? { content: '' } : { outcome: { outcome: 'cancelled' } };
    },
  });
  const clientCapabilities = { fs: { readTextFile: true } };
  await raw.request('initialize', { protocolVersion: 1, clientCapabilities });
  await raw.request('session/new', { cwd: '/', mcpServers: [] });
  for (const turn of ['first', 'second']) {
    const read = (result: unknown): void => note(`${turn} ${JSON.stringify(result)}`);
    await raw
      .request('session/prompt', { sessionId: 's', prompt: [text] }, { read })
      .catch((error: unknown) => note(`${turn} ${String(error)}`));
  }
  await served.close();
  await raw.closed;
  return log;
}

test('at any time of a cancel, a prompt is answered once, and no update follows the response', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...steps), { maxLength: 8 }),
      fc.nat(12),
      async (script, cancelAfter) => {
        const log = await play(script, cancelAfter);
        const answers = log.filter((entry) => entry.startsWith('first') || entry.startsWith('second'));
        const isFailing = script.includes('fail');
        const allowed = isFailing ? ['RpcError: Internal error'] : ['{"stopReason":"end_turn"}'];
        expect(answers).toHaveLength(2);
        for (const [index, turn] of ['first', 'second'].entries()) {
          expect([...allowed, '{"stopReason":"cancelled"}'].map((outcome) => `${turn} ${outcome}`)).toContain(
            answers[index],
          );
        }
        expect(log.at(-1)).toBe(answers[1]);
        const turnLength = log.indexOf(answers[0] ?? '');
        const uncancelled = script.slice(0, isFailing ? script.indexOf('fail') : undefined);
        expect(turnLength).toBeLessThanOrEqual(uncancelled.filter((step) => step !== 'yield').length);
      },
    ),
  );
});
