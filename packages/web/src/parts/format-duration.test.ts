import { expect, test } from 'vitest';
import { formatDuration } from './format-duration.ts';

test('a duration is shown in its relevant units', () => {
  const said = [0, 349, 9940, 12_400, 60_000, 184_000, 3_600_000, 7_500_000].map((ms) =>
    formatDuration(ms, 'en'),
  );
  expect(said).toEqual(['0 s', '0.3 s', '9.9 s', '12 s', '1 min', '3 min 4 s', '1 h', '2 h 5 min']);
});

test('a negative duration shows nothing', () => {
  expect(formatDuration(-5000, 'en')).toBe('0 s');
});

test('a duration is shown in the language of the page', () => {
  expect(formatDuration(184_000, 'zh-CN')).toBe('3分钟 4秒');
});
