import type { Run } from '@parley/aap/server';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventsOf, lookUp, stage, type Stage, type TestEvent } from './stage.ts';

type Step =
  | { readonly do: 'text' | 'thinking'; readonly words: readonly string[] }
  | { readonly do: 'end-block' | 'extension' | 'inline-call' }
  | { readonly do: 'ask'; readonly tools: readonly ('read' | 'edit' | 'look_up')[] };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constantFrom('text' as const, 'thinking' as const),
      words: fc.array(fc.constantFrom('a', 'b ', '\n', 'grüße', '😀'), { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ do: fc.constantFrom('end-block' as const, 'extension' as const, 'inline-call' as const) }),
    fc.record({
      do: fc.constant('ask' as const),
      tools: fc.array(fc.constantFrom('read' as const, 'edit' as const, 'look_up' as const), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
  ),
  { maxLength: 8 },
);

/** An agent that takes these steps, and asks for several things at once. */
async function take(run: Run, script: readonly Step[]): Promise<void> {
  for (const [at, step] of script.entries()) {
    switch (step.do) {
      case 'text':
      case 'thinking':
        for (const word of step.words) await run[step.do](word);
        break;
      case 'end-block':
        run.endBlock();
        break;
      case 'extension':
        await run.extension('plan', { at });
        break;
      case 'inline-call':
        await run.toolCall({ toolCallId: `${at}`, name: 'inline', input: {} });
        await run.toolResult({ toolCallId: `${at}`, content: 'inline' });
        break;
      case 'ask':
        await Promise.all(step.tools.map((name, index) => ask(run, name, `${at}.${index}`)));
        break;
    }
  }
}

async function ask(run: Run, name: string, toolCallId: string): Promise<void> {
  const call = { toolCallId, name, input: { of: toolCallId } };
  if (name === lookUp.name) return void (await run.callClientTool(call));
  const { granted } = await run.permission(call);
  if (granted) await run.toolResult({ toolCallId, content: `result ${toolCallId}` });
}

/** Streams all turns, and answers what waits: every other permission is granted. */
async function streamAll({ turn }: Stage, sessionId: string): Promise<readonly (readonly TestEvent[])[]> {
  const turns: (readonly TestEvent[])[] = [];
  let messages: readonly unknown[] = [{ role: 'user', content: 'go' }];
  while (messages.length > 0) {
    const events = await turn(sessionId, { messages });
    turns.push(events);
    messages = heldCalls(events).map(({ data: { toolCallId, name } }, index) =>
      name === lookUp.name
        ? { role: 'tool', toolCallId, content: 'found' }
        : { role: 'tool_permission', toolCallId, granted: index % 2 === 0 },
    );
  }
  return turns;
}

function heldCalls(events: readonly TestEvent[]): readonly TestEvent[] {
  const finished = new Set(
    events.flatMap(({ event, data }) => (event === 'tool_result' ? [data['toolCallId']] : [])),
  );
  return events.filter(({ event, data }) => event === 'tool_call' && !finished.has(data['toolCallId']));
}

function textOf(events: readonly TestEvent[]): string {
  return events.map(({ data }) => wordsOf(data)).join('');
}

function wordsOf({ delta, text, thinking }: Readonly<Record<string, unknown>>): string {
  const words = delta ?? text ?? thinking;
  return typeof words === 'string' ? words : '';
}

test('for any agent, turns are well-formed, and history and all modes agree', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      const at = stage((run) => take(run, script));
      const sessionId = await at.create({
        agent: { name: 'tester', tools: [{ name: 'read', trust: true }, { name: 'edit' }] },
      });
      const turns = await streamAll(at, sessionId);
      const history = await at.history(sessionId);

      for (const events of turns) {
        const held = heldCalls(events);
        const names = events.map(({ event }) => event);
        expect(names.indexOf('turn_start')).toBe(0);
        expect(names.lastIndexOf('turn_start')).toBe(0);
        expect(names.indexOf('turn_stop')).toBe(names.length - 1);
        expect(events.at(-1)?.data['stopReason']).toBe(held.length > 0 ? 'tool_use' : 'end_turn');
        // The calls for the application stand last, in a row.
        expect(events.slice(-1 - held.length, -1)).toEqual(held);
        const ids = events.map(({ id }) => Number(id));
        expect(ids).toEqual(ids.toSorted((a, b) => a - b));
        expect(new Set(ids).size).toBe(ids.length);

        const path = `/sessions/${sessionId}/turns/${String(events[0]?.data['turnId'])}/events?stream=message`;
        const whole = await eventsOf(await at.send('GET', path));
        expect(textOf(whole)).toBe(textOf(events));
        expect(callsIn(whole)).toEqual(callsIn(events));
      }
      const all = turns.flat();
      const calls = all.filter(({ event }) => event === 'tool_call').map(({ data }) => data['toolCallId']);
      const blocks = history.flatMap(({ role, content }) =>
        role === 'assistant' && Array.isArray(content)
          ? (content as Readonly<Record<string, unknown>>[])
          : [],
      );
      const results = history.filter(({ role }) => role === 'tool').map(({ toolCallId }) => toolCallId);
      expect(blocks.map(wordsOf).join('')).toBe(textOf(all));
      expect(blocks.flatMap(({ toolCallId }) => (toolCallId === undefined ? [] : [toolCallId]))).toEqual(
        calls,
      );
      expect(new Set(results)).toEqual(new Set(calls));
      expect(results).toHaveLength(calls.length);
      expect(new Set(calls).size).toBe(calls.length);
    }),
    { numRuns: 60 },
  );
});

function callsIn(events: readonly TestEvent[]): readonly unknown[] {
  return events.flatMap(({ event, data }) =>
    event === 'tool_call' || event === 'tool_result' ? [data] : [],
  );
}
