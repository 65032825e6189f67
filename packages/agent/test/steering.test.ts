import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ModelPart } from '../src/model/model.ts';
import { createNodeEnvironment } from '../src/node/environment.ts';
import { scriptedModel } from './scripted-model.ts';
import { openStage, type Stage } from './stage.ts';

const steering = '_session/steering';
const words = (text: string): ModelPart => ({ type: 'text', text });

function steer(stage: Stage, text: string, meta?: object): Promise<unknown> {
  const prompt = text === '' ? [] : [{ type: 'text', text }];
  return stage.agent.requestExtension(steering, {
    sessionId: stage.sessionId,
    prompt,
    ...(meta !== undefined && { _meta: { steering: meta } }),
  });
}

test('text for a running turn is read with the next request to the model, also where the turn was about to end', async () => {
  const script = scriptedModel([[words('first')], [words('second')]]);
  let begin: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let answer: () => void = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await using stage = await openStage({
    model: {
      ...script,
      respond: async function* respond(...asked: Parameters<typeof script.respond>) {
        begin();
        await answered;
        yield* script.respond(...asked);
      },
    },
  });
  expect(stage.initialized._meta).toMatchObject({ steering: { supported: true } });
  const ended = stage.prompt('go');
  await begun;
  expect(await steer(stage, 'Use the retry helper.', { idleBehavior: 'promptRequired' })).toEqual({
    outcome: 'injected',
  });
  answer();
  expect(await ended).toBe('end_turn');
  expect(script.requests).toHaveLength(2);
  expect(JSON.stringify(script.requests[1]?.messages)).toContain('Use the retry helper.');
});

test('a session that is loaded shows it again, where the model read it', async () => {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'parley-steering-')));
  const environment = createNodeEnvironment({ stateDirectory: join(home, 'state') });
  try {
    const script = scriptedModel([[words('first')], [words('second')]]);
    let send = (): Promise<unknown> => Promise.resolve();
    const model = {
      ...script,
      respond: async function* respond(...asked: Parameters<typeof script.respond>) {
        if (script.requests.length === 0) await send();
        yield* script.respond(...asked);
      },
    };
    const { sessionId } = await (async () => {
      await using stage = await openStage({ environment, directory: home, model });
      send = () => steer(stage, 'Use the retry helper.');
      await stage.prompt('go');
      await stage.prompt('/usage');
      expect(JSON.stringify(stage.updates)).toContain('Turns: 1\\n');
      return stage;
    })();
    await using loaded = await openStage({ environment, directory: home, model, first: false });
    await loaded.agent.request('session/load', loaded.at(sessionId));
    const texts = loaded.updates.flatMap((update) =>
      'content' in update && JSON.stringify(update.content).includes('text') ? [update] : [],
    );
    expect(texts.slice(0, 4)).toMatchObject([
      { sessionUpdate: 'user_message_chunk', content: { text: 'go' } },
      { sessionUpdate: 'agent_message_chunk', content: { text: 'first' } },
      { sessionUpdate: 'user_message_chunk', content: { text: 'Use the retry helper.' } },
      { sessionUpdate: 'agent_message_chunk', content: { text: 'second' } },
    ]);
    const heard = loaded.updates.length;
    await loaded.prompt('/usage', sessionId);
    expect(JSON.stringify(loaded.updates.slice(heard))).toContain('Turns: 1\\n');
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

test('while no turn runs nothing is taken', async () => {
  await using stage = await openStage();
  expect(await steer(stage, 'more', { idleBehavior: 'promptRequired' })).toEqual({
    outcome: 'promptRequired',
    reason: 'noRunningTurn',
  });
  await expect(steer(stage, 'more')).rejects.toMatchObject({ code: -32600 });
  await expect(steer(stage, 'more', { idleBehavior: 'startTurn' })).rejects.toMatchObject({ code: -32602 });
  await expect(steer(stage, '')).rejects.toMatchObject({ code: -32602 });
});
