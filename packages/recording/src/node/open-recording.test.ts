import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FrameFault } from '@parley/wire';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRecording } from './open-recording.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-recording-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const quiet = { head: { agent: 'a' }, onFailure: () => undefined };

test('a recording is a head and each frame with its time and direction', () => {
  const file = path.join(folder, 'r.jsonl');
  const recording = openRecording(file, quiet);
  recording.observe({ direction: 'out', time: 0, message: { jsonrpc: '2.0', id: 1, method: 'initialize' } });
  recording.observe({ direction: 'in', time: 1.5, fault: new FrameFault('malformed', 5, 'noise') });
  recording[Symbol.dispose]();
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({ recording: 1, agent: 'a' }),
    {
      seq: 1,
      time: '1970-01-01T00:00:00.000Z',
      direction: 'out',
      message: { jsonrpc: '2.0', id: 1, method: 'initialize' },
    },
    {
      seq: 2,
      time: '1970-01-01T00:00:00.001Z',
      direction: 'in',
      fault: { code: 'malformed', bytes: 5, head: 'noise' },
    },
  ]);
});

test.skipIf(process.platform === 'win32')(
  'only the owner may read it, also when the file was there before',
  () => {
    const file = path.join(folder, 'r.jsonl');
    writeFileSync(file, 'old', { mode: 0o644 });
    openRecording(file, quiet)[Symbol.dispose]();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain('old');
  },
);

test('a file that cannot be opened rejects at once with the error of the system', () => {
  expect(() => openRecording(folder, quiet)).toThrow(expect.objectContaining({ code: 'EISDIR' }));
});

test('a variable of the agent whose name says that it is a secret is nowhere in the file', () => {
  const file = path.join(folder, 'r.jsonl');
  const recording = openRecording(file, {
    ...quiet,
    variables: { MY_API_KEY: 'a secret of mine', HOME: '/home/of/mine', OTHER_TOKEN: undefined },
  });
  const text = 'MY_API_KEY is a secret of mine, HOME is /home/of/mine';
  recording.observe({ direction: 'in', time: 0, message: { text } });
  recording.observe({ direction: 'in', time: 0, fault: new FrameFault('malformed', 60, text) });
  recording[Symbol.dispose]();
  const written = readFileSync(file, 'utf8');
  expect(written).not.toContain('a secret of mine');
  expect(written.match(/MY_API_KEY is \[redacted\], HOME is \/home\/of\/mine/gu)).toHaveLength(2);
});

test('a message nested too deep for JSON is recorded as far as it goes', () => {
  const file = path.join(folder, 'r.jsonl');
  const recording = openRecording(file, quiet);
  let message: unknown = 'deep';
  for (let depth = 0; depth < 100_000; depth += 1) message = depth % 2 === 0 ? [message] : { env: message };
  recording.observe({ direction: 'in', time: 0, message });
  recording[Symbol.dispose]();
  expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(2);
});

test.runIf(process.platform === 'linux')(
  'a full disk ends the recording and is reported once, and the connection goes on',
  () => {
    const failures: unknown[] = [];
    const recording = openRecording('/dev/full', {
      head: {},
      onFailure: (error) => failures.push(error),
    });
    const frame = { direction: 'in', time: 0, message: 'x'.repeat(300_000) } as const;
    recording.observe(frame);
    recording.observe(frame);
    recording[Symbol.dispose]();
    expect(failures).toHaveLength(1);
  },
);

test('on a full disk a recording ends with its last whole frame, and says why', (context) => {
  const disk = path.join(folder, 'disk');
  mkdirSync(disk);
  const mounted = spawnSync('sh', ['-c', 'mount -t tmpfs -o size=16k tmpfs "$0"', disk]);
  if (mounted.status !== 0) return context.skip('no file system can be mounted here');
  try {
    const file = path.join(disk, 'r.jsonl');
    const failures: unknown[] = [];
    const recording = openRecording(file, { ...quiet, onFailure: (error) => void failures.push(error) });
    for (let id = 0; id < 500; id += 1) {
      recording.observe({ direction: 'out', time: 0, message: { id, text: 'x'.repeat(100) } });
    }
    recording[Symbol.dispose]();
    expect(failures).toMatchObject([{ code: 'ENOSPC' }]);
    const text = readFileSync(file, 'utf8');
    expect(text.endsWith('\n')).toBe(true);
    const frames = text.trimEnd().split('\n').slice(1);
    expect(frames.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(
      frames.map((_, index) => index + 1),
    );
    expect(frames.length).toBeGreaterThan(10);
  } finally {
    spawnSync('sh', ['-c', 'umount -l "$0"', disk]);
  }
});
