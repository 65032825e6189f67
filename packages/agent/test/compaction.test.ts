import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientCapabilities, SessionUpdate } from '@parley/acp';
import { describe, expect, test } from 'vitest';
import { AgentError } from '../src/agent-error.ts';
import { summaryHead } from '../src/compaction/compact-messages.ts';
import type { Model, ModelMessage, ModelPart, ModelRequest } from '../src/model/model.ts';
import { openHome } from './home.ts';
import { textWith } from './matchers.ts';
import { openStage, said } from './stage.ts';

const compaction: ClientCapabilities = { session: { compaction: {} } };

interface SummingModel extends Model {
  /** The conversations that were to be answered. */
  readonly heard: (readonly ModelMessage[])[];
  /** What was read to be summed up. */
  readonly summed: string[];
}

type Answer = (request: ModelRequest, count: number, signal: AbortSignal) => AsyncIterable<ModelPart>;

/** A model with a small window, which sums up what it is asked to. */
function summingModel(answer: Answer = answerOk, sumUp: Answer = sumUpOk): SummingModel {
  const heard: (readonly ModelMessage[])[] = [];
  const summed: string[] = [];
  return {
    id: 'test/small',
    contextSize: 20_000,
    heard,
    summed,
    respond: (request, signal) => {
      const [first] = request.messages;
      if (request.tools.length === 0 && first?.role === 'user' && first.text.startsWith('<conversation>')) {
        summed.push(first.text);
        return sumUp(request, summed.length, signal);
      }
      heard.push([...request.messages]);
      return answer(request, heard.length, signal);
    },
  };
}

async function* answerOk(_request: ModelRequest, count: number): AsyncGenerator<ModelPart> {
  yield { type: 'text', text: `answer ${String(count)}` };
}

async function* sumUpOk(): AsyncGenerator<ModelPart> {
  yield { type: 'text', text: 'the gist ' };
  yield { type: 'text', text: 'of it' };
}

/** Calls `list` so many times, each time with a long text, then says that it is done. */
function looper(steps: number): Answer {
  return async function* loop(_request, count) {
    if (count > steps) {
      yield { type: 'text', text: 'done' };
      return;
    }
    yield { type: 'text', text: `step ${String(count)} ${'more '.repeat(2100)}` };
    yield { type: 'tool-call', id: `id${String(count)}`, name: 'list', input: { path: '.', n: count } };
  };
}

const long = (word: string): string => `${word} ${'much '.repeat(7500)}`;

function compactions(updates: readonly SessionUpdate[]): unknown[] {
  return updates.filter(({ sessionUpdate }) => sessionUpdate.startsWith('compaction'));
}

function thoughts(updates: readonly SessionUpdate[]): string[] {
  return updates.flatMap((update) =>
    update.sessionUpdate === 'agent_thought_chunk' && update.content.type === 'text'
      ? [update.content.text]
      : [],
  );
}

function expectWhole(messages: readonly ModelMessage[]): void {
  for (const [index, message] of messages.entries()) {
    const called = message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : [];
    const next = messages[index + 1];
    expect(next?.role === 'tool' ? next.results.map(({ id }) => id) : []).toEqual(called);
  }
}

describe('before the window overflows', () => {
  test('older turns are summarized, the prompt stays unchanged, and the client sees both', async () => {
    const model = summingModel();
    await using stage = await openStage({ model, capabilities: compaction });
    await stage.prompt(long('first'));
    await stage.prompt(long('second'));
    expect(await stage.prompt(long('third'))).toBe('end_turn');
    expect(model.summed).toHaveLength(1);
    expect(model.summed[0]).toContain('User: first');
    expect(model.heard.at(-1)).toEqual([
      { role: 'user', text: `${summaryHead}\n\nthe gist of it` },
      { role: 'assistant', text: expect.any(String), toolCalls: [] },
      { role: 'user', text: long('third') },
    ]);
    const compactionId = 'compaction_1';
    expect(compactions(stage.updates)).toEqual([
      { sessionUpdate: 'compaction_update', compactionId, status: 'in_progress' },
      {
        sessionUpdate: 'compaction_summary_chunk',
        compactionId,
        content: { type: 'text', text: 'the gist ' },
      },
      { sessionUpdate: 'compaction_summary_chunk', compactionId, content: { type: 'text', text: 'of it' } },
      { sessionUpdate: 'compaction_update', compactionId, status: 'completed' },
    ]);
  });

  test('the reported size falls, and is an estimate until the model reports one', async () => {
    const model = summingModel(async function* answer(_request, count) {
      yield { type: 'text', text: 'ok' };
      if (count < 3) yield { type: 'usage', usedTokens: 7000 * count };
    });
    await using stage = await openStage({ model });
    for (const text of ['first', 'second', 'third']) await stage.prompt(long(text));
    const reported = stage.updates.flatMap((update) =>
      update.sessionUpdate === 'usage_update' ? [update.used] : [],
    );
    const [first, second, compacted = 0, third] = reported;
    expect([first, second]).toEqual([7000, 14_000]);
    // The third prompt alone is 7,500; the instructions and the tools are counted too.
    expect(compacted).toBeGreaterThan(8000);
    expect(compacted).toBeLessThan(16_000);
    expect(third).toBe(compacted + 1);
  });

  test("the model's token counts decide how much text fits a window", async () => {
    // As with Chinese: a token is a character.
    const model = summingModel(async function* answer({ messages }) {
      yield { type: 'text', text: 'ok' };
      yield { type: 'usage', usedTokens: 3000 + JSON.stringify(messages).length };
    });
    await using stage = await openStage({ model });
    for (let count = 1; count <= 10; count += 1) await stage.prompt(`${String(count)} ${'字'.repeat(4000)}`);
    expect(model.summed.length).toBeGreaterThan(1);
    for (const messages of model.heard) expect(JSON.stringify(messages).length).toBeLessThan(20_000);
  });

  test('the steps of a long turn are summarized while it runs; each call keeps its result', async () => {
    const model = summingModel(looper(12));
    await using stage = await openStage({ model, capabilities: compaction });
    expect(await stage.prompt('do it')).toBe('end_turn');
    expect(said(stage.updates).at(-1)).toBe('done');
    expect(model.summed.length).toBeGreaterThan(0);
    for (const messages of model.heard) {
      expectWhole(messages);
      expect(messages).toContainEqual({ role: 'user', text: 'do it' });
    }
    const sizes = model.heard.map((messages) => JSON.stringify(messages).length);
    expect(Math.max(...sizes)).toBeLessThan(80_000);
  });

  test('a single prompt that is too long is not compacted repeatedly', async () => {
    const model = summingModel();
    await using stage = await openStage({ model });
    expect(await stage.prompt('last '.repeat(25_000))).toBe('end_turn');
    expect(model.summed).toEqual([]);
    expect(model.heard).toHaveLength(1);
  });

  test.each([
    ['a thought', {}, 'agent_thought_chunk'],
    ['a notice', { session: { notices: {} } }, 'notice'],
  ] as const)('a client that shows no compaction is notified by %s', async (_name, capabilities, kind) => {
    await using stage = await openStage({ model: summingModel(), capabilities });
    for (const text of ['first', 'second', 'third']) await stage.prompt(long(text));
    expect(compactions(stage.updates)).toEqual([]);
    const reported = stage.updates.filter(({ sessionUpdate }) => sessionUpdate === kind);
    expect(JSON.stringify(reported)).toContain('is being compacted');
    expect(JSON.stringify(reported)).toContain('was compacted');
  });
});

describe('a summary that fails', () => {
  async function* fail(): AsyncGenerator<ModelPart> {
    yield { type: 'text', text: 'the ' };
    throw new AgentError('model-failed', 'test/small: HTTP 500');
  }

  test('is reported, and the older part is dropped', async () => {
    const model = summingModel(answerOk, fail);
    await using stage = await openStage({ model, capabilities: compaction });
    for (const text of ['first', 'second']) await stage.prompt(long(text));
    expect(await stage.prompt(long('third'))).toBe('end_turn');
    expect(model.heard.at(-1)).toEqual([{ role: 'user', text: long('third') }]);
    expect(compactions(stage.updates).at(-1)).toMatchObject({
      status: 'failed',
      error: textWith('HTTP 500'),
    });
    expect(thoughts(stage.updates)).toEqual([textWith('is forgotten')]);
  });

  test('because it is empty fails too', async () => {
    const model = summingModel(answerOk, async function* nothing() {
      yield { type: 'thought', text: 'hmm' };
    });
    await using stage = await openStage({ model, capabilities: compaction });
    for (const text of ['first', 'second', 'third']) await stage.prompt(long(text));
    expect(compactions(stage.updates).at(-1)).toMatchObject({ status: 'failed' });
  });

  test('because of a cancel ends the turn, and the conversation stays complete', async () => {
    let cancel = (): void => undefined;
    const model = summingModel(answerOk, async function* wait(_request, _count, signal) {
      yield { type: 'text', text: 'the ' };
      cancel();
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    });
    await using stage = await openStage({ model, capabilities: compaction });
    for (const text of ['first', 'second']) await stage.prompt(long(text));
    cancel = () => void stage.cancel();
    expect(await stage.prompt(long('third'))).toBe('cancelled');
    expect(compactions(stage.updates).at(-1)).toMatchObject({ status: 'cancelled' });
    cancel = () => undefined;
    await stage.agent.request('session/set_config_option', {
      sessionId: stage.sessionId,
      configId: 'mode',
      value: 'plan',
    });
    expect(model.heard).toHaveLength(2);
  });
});

describe('a provider that says the conversation is too long', () => {
  function overflowing(times: number): Answer {
    let left = times;
    return async function* answer({ messages }, count) {
      if (messages.length > 1 && left > 0) {
        left -= 1;
        throw new AgentError('context-overflow', 'test/small: HTTP 400: prompt is too long');
      }
      yield { type: 'text', text: `answer ${String(count)}` };
    };
  }

  test('is asked once more after a compaction', async () => {
    const model = { ...summingModel(overflowing(1)), contextSize: 100_000 };
    await using stage = await openStage({ model, capabilities: compaction });
    await stage.prompt(long('first'));
    expect(await stage.prompt('second')).toBe('end_turn');
    expect(model.summed).toHaveLength(1);
    expect(model.heard.at(-1)).toMatchObject([
      { role: 'user', text: textWith('the gist') },
      { role: 'assistant', text: 'answer 1' },
      { role: 'user', text: 'second' },
    ]);
    expect(said(stage.updates).at(-1)).toBe('answer 3');
  });

  test('again fails the prompt, and the session continues', async () => {
    const model = { ...summingModel(overflowing(2)), contextSize: 100_000 };
    await using stage = await openStage({ model });
    await stage.prompt(long('first'));
    await expect(stage.prompt('second')).rejects.toMatchObject({
      code: -32603,
      message: textWith('prompt is too long'),
    });
    expect(model.summed).toHaveLength(1);
    expect(await stage.prompt('third')).toBe('end_turn');
  });
});

describe('/compact', () => {
  test("replaces everything by a summary, with the user's instructions", async () => {
    const model = summingModel();
    await using stage = await openStage({ model, capabilities: compaction });
    await stage.prompt('first');
    expect(await stage.prompt('/compact the names of files')).toBe('end_turn');
    expect(model.summed[0]).toContain('keep above all: the names of files');
    expect(said(stage.updates).at(-1)).toContain('was compacted');
    await stage.prompt('second');
    expect(model.heard.at(-1)).toMatchObject([
      { role: 'user', text: textWith('the gist of it') },
      { role: 'assistant' },
      { role: 'user', text: 'second' },
    ]);
  });

  test('changes nothing without a summary', async () => {
    const model = summingModel(answerOk, async function* refuse() {
      yield { type: 'stop', reason: 'refusal' };
    });
    await using stage = await openStage({ model });
    await stage.prompt('first');
    expect(await stage.prompt('/compact')).toBe('end_turn');
    expect(said(stage.updates).at(-1)).toContain('was not changed');
    await stage.prompt('second');
    expect(model.heard.at(-1)).toHaveLength(3);
  });

  test('does nothing in an empty conversation', async () => {
    await using stage = await openStage({ capabilities: compaction });
    await stage.prompt('/compact');
    expect(compactions(stage.updates)).toEqual([]);
  });

  test('by the offline model lists the prompts, and runs none of them again', async () => {
    await using stage = await openStage({ capabilities: compaction });
    await stage.prompt('write a.txt: x\nread missing');
    const asked = stage.permissions.length;
    await stage.prompt('/compact the plan');
    const chunks = compactions(stage.updates).filter((update) => JSON.stringify(update).includes('content'));
    const text = JSON.stringify(chunks);
    expect(text).toContain('- write a.txt: x read missing');
    expect(text).toContain('To be kept: the plan');
    expect(text).toContain('Calls of read: 1, 1 of them failed');
    await stage.prompt('say: on');
    expect(said(stage.updates).at(-1)).toBe('on');
    expect(stage.permissions).toHaveLength(asked);
    await stage.prompt('/compact');
    expect(JSON.stringify(compactions(stage.updates))).toContain('Before: Written by the offline model');
  });
});

describe('when the session is resumed', () => {
  test.each([
    ['shows compactions', compaction],
    ['does not', {}],
  ])(
    'the model reads the summary, and the client sees all and where it was compacted: a client that %s',
    async (_name, capabilities) => {
      await using home = await openHome();
      await using first = await home.stage({ model: summingModel() });
      for (const text of ['first', 'second', 'third']) await first.prompt(long(text));
      const used = first.updates.at(-1);
      const { sessionId } = first;
      await first.agent.request('session/close', { sessionId });

      const model = summingModel();
      await using stage = await home.stage({ model, capabilities, first: false });
      await stage.agent.request('session/load', stage.at(sessionId));
      expect(said(stage.updates)).toEqual(['answer 1', 'answer 2', 'answer 3']);
      if ('session' in capabilities) {
        expect(compactions(stage.updates)).toEqual([
          {
            sessionUpdate: 'compaction_update',
            compactionId: 'compaction_1',
            status: 'completed',
            summary: [{ type: 'text', text: 'the gist of it' }],
          },
        ]);
      } else expect(thoughts(stage.updates)).toEqual([textWith('was compacted')]);
      await stage.prompt('/usage', sessionId);
      expect(stage.updates.at(-1)).toEqual(used);
      await stage.prompt('fourth', sessionId);
      expect(model.summed).toEqual([]);
      expect(model.heard.at(-1)).toMatchObject([
        { role: 'user', text: textWith('the gist of it') },
        { role: 'assistant' },
        { role: 'user', text: long('third') },
        { role: 'assistant', text: 'answer 3' },
        { role: 'user', text: 'fourth' },
      ]);
    },
  );

  test('after a kill during a turn that compacted, calls and results still match', async () => {
    await using home = await openHome();
    const model = summingModel(looper(8));
    await using first = await home.stage({ model });
    await first.prompt('do it');
    const { sessionId } = first;
    const log = await readFile(join(home.sessions, `${sessionId}.jsonl`), 'utf8');
    const lines = log.trimEnd().split('\n');
    expect(model.summed.length).toBeGreaterThan(0);
    await first.agent.request('session/close', { sessionId });

    // Wherever it ends, the model can go on from there.
    for (let length = 3; length <= lines.length; length += 1) {
      await writeFile(join(home.sessions, `${sessionId}.jsonl`), `${lines.slice(0, length).join('\n')}\n`);
      const again = summingModel();
      await using stage = await home.stage({ model: again, first: false });
      await stage.agent.request('session/resume', stage.at(sessionId));
      await stage.prompt('go on', sessionId);
      for (const messages of again.heard) expectWhole(messages);
    }
  });
});
