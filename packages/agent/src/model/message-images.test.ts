import { expect, test } from 'vitest';
import { withoutImages } from './message-images.ts';

test('a message without its images describes them', () => {
  const image = { mimeType: 'image/png', data: 'AAAA', source: 'a.png' } as const;
  expect(withoutImages({ role: 'user', text: 'hi', images: [image] }, 'why')).toEqual({
    role: 'user',
    text: 'hi',
    context: [{ source: 'a.png', text: '[image/png, about 3 bytes, omitted: why]' }],
  });
  const plain = { role: 'user', text: 'hi' } as const;
  expect(withoutImages(plain, 'why')).toBe(plain);
});
