import { expect, test } from 'vitest';
import type { RawFrame } from './frame-row.ts';
import { readRecording, type Recording } from './read-recording.ts';

const head = {
  recording: 1,
  time: '2026-11-20T10:00:00.000Z',
  program: 'parley 0.1.0',
  agent: 'a',
  cwd: '/w',
};
const first = { seq: 1, time: '2026-11-20T10:00:01.500Z', direction: 'out', message: { id: 1 } };

test('a recording has its description and frames', async () => {
  const fault = { code: 'malformed', bytes: 3, head: 'hm?' };
  const { frames, recording } = await read([
    head,
    first,
    { seq: 2, time: '2026-11-20T10:00:02Z', direction: 'in', fault },
  ]);
  expect(recording).toEqual({
    program: 'parley 0.1.0',
    agent: 'a',
    cwd: '/w',
    unreadable: 0,
    isRecording: true,
  });
  const time = Date.UTC(2026, 10, 20, 10, 0, 1, 500);
  expect(frames).toEqual([
    { seq: 1, time, direction: 'out', message: { id: 1 } },
    { seq: 2, time: time + 500, direction: 'in', fault: 'malformed (3 bytes) hm?' },
  ]);
});

test('lines that are not part of a recording are counted', async () => {
  const { frames, recording } = await read(['not json', { direction: 'up', message: 1 }, first, '{"dir']);
  expect(recording).toEqual({ unreadable: 3, isRecording: true });
  expect(frames).toHaveLength(1);
});

test('a file that is not a recording is rejected', async () => {
  const { recording } = await read(['# Readme', '']);
  expect(recording).toEqual({ unreadable: 1, isRecording: false });
});

test('frames without numbers or times follow those before', async () => {
  const { frames } = await read([first, { direction: 'in', message: { id: 1 } }, { ...first, seq: 1 }]);
  expect(frames.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(frames[1]).toMatchObject({ time: frames[0]?.time });
});

test('characters and lines split between chunks are joined', async () => {
  const message = { text: '会话 👋'.repeat(30_000) };
  const { frames } = await read(
    Array.from({ length: 5 }, (_item, index) => ({ ...first, seq: index + 1, message })),
  );
  expect(frames.map((frame) => frame.message)).toEqual(Array.from({ length: 5 }, () => message));
});

async function read(
  lines: readonly (object | string)[],
): Promise<{ readonly frames: readonly RawFrame[]; readonly recording: Recording }> {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const frames: RawFrame[] = [];
  const recording = await readRecording(new Blob([text]), (more) => {
    frames.push(...more);
  });
  return { frames, recording };
}
