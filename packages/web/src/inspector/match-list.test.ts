import { expect, test } from 'vitest';
import type { FrameFilter } from './frame-filter.ts';
import { FrameLog } from './frame-log.ts';
import { framesOf, into, out } from './frame.fixture.ts';
import { MatchList } from './match-list.ts';

const update = (sessionUpdate: string, text = ''): ReturnType<typeof into> =>
  into({ method: 'session/update', params: { sessionId: 's', update: { sessionUpdate, text } } });

const conversation = framesOf(
  out({ id: 1, method: 'session/prompt', params: { sessionId: 's' } }),
  update('plan'),
  update('agent_message_chunk', 'Hello (World)'),
  into({ id: 1, method: 'fs/read_text_file', params: { sessionId: 's' } }),
  out({ id: 1, error: { code: -32603, message: 'no' } }),
  { direction: 'in', fault: 'malformed' },
  into({ id: 1, result: { stopReason: 'end_turn' } }),
  update('plan'),
);

test.each<[string, FrameFilter, readonly number[]]>([
  ['nothing', {}, [1, 2, 3, 4, 5, 6, 7, 8]],
  ['a direction', { direction: 'out' }, [1, 5]],
  ['a method, with its answers', { names: new Set(['fs/read_text_file']) }, [4, 5]],
  ['kinds of updates', { names: new Set(['session/update plan']) }, [2, 8]],
  ['a text in any case, with signs of patterns in it', { text: 'hello (w' }, [3]],
  ['a text that is in the method of an answer', { text: 'session/prompt' }, [1, 7]],
  ['errors and faults', { isBad: true }, [5, 6]],
  ['what was slow', { slowerThanMs: 100 }, [7]],
  ['one turn', { prompt: 1 }, [1, 2, 3, 4, 5, 7]],
])('%s', (_name, filter, seqs) => {
  const log = new FrameLog();
  log.take(conversation);
  const matches = new MatchList(log, filter);
  expect(matches.scan(() => false)).toBe(true);
  expect(matches.rows.map(({ seq }) => seq)).toEqual(seqs);
});

test('a long log is searched in slices', () => {
  const log = new FrameLog();
  log.take(framesOf(...Array.from({ length: 1000 }, () => update('plan'))));
  const matches = new MatchList(log, {});
  expect(matches.scan(() => true)).toBe(false);
  const first = matches.rows.length;
  expect(first).toBeLessThan(1000);
  expect(matches.scan(() => false)).toBe(true);
  expect(matches.rows.map(({ seq }) => seq)).toEqual(log.rows.map(({ seq }) => seq));
});

test('later frames are found, and dropped ones removed', () => {
  const log = new FrameLog({ frames: 10 });
  const frames = framesOf(...Array.from({ length: 15 }, () => update('plan')));
  const matches = new MatchList(log, { names: new Set(['session/update plan']) });
  for (const frame of frames) {
    log.take([frame]);
    matches.scan(() => false);
    expect(matches.rows).toEqual(log.rows);
  }
  log.take(framesOf(out({ id: 1, method: 'initialize' })).map((frame) => ({ ...frame, time: 99_999 })));
  matches.scan(() => false);
  expect(matches.rows).toEqual([]);
});

test('while paused, later frames are not searched', () => {
  const log = new FrameLog();
  const frames = framesOf(update('plan'), update('plan'), update('plan'));
  const matches = new MatchList(log, {});
  log.take(frames);
  matches.scan(() => false, 2);
  expect(matches.rows).toHaveLength(2);
  matches.scan(() => false);
  expect(matches.rows).toHaveLength(3);
});
