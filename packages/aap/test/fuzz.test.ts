import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { stage } from './stage.ts';

/** More rounds where there is time for them. */
const rounds = Number(process.env['PARLEY_ROUNDS'] ?? 1);

const strings = fc.oneof(
  fc.constantFrom(
    'user',
    'tool',
    'tool_permission',
    'system',
    'tester',
    'read',
    'c1',
    '***',
    'delta',
    '__proto__',
    '',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const scraps = fc.oneof(
  strings,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constant([]),
  fc.constant({}),
);

/** JSON with the names of the protocol in wrong places. */
const odd: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, scraps, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
  object: fc.dictionary(
    fc.oneof(
      fc.constantFrom(
        'agent',
        'name',
        'tools',
        'options',
        'messages',
        'role',
        'content',
        'toolCallId',
        'granted',
        'stream',
      ),
      fc.constantFrom(
        'type',
        'text',
        'url',
        'input',
        'parameters',
        'description',
        'trust',
        '__proto__',
        'constructor',
      ),
    ),
    tie('value'),
    { maxKeys: 5 },
  ),
})).value;

/** Almost right, with one thing wrong somewhere. */
const almost = fc
  .record({
    agent: fc.oneof(fc.constant({ name: 'tester' }), odd),
    messages: fc.oneof(
      fc.constant([{ role: 'user', content: 'hi' }]),
      fc.array(
        fc.record(
          { role: strings, content: fc.oneof(strings, odd), toolCallId: strings, granted: scraps },
          { requiredKeys: [] },
        ),
        { maxLength: 3 },
      ),
    ),
    tools: fc.oneof(
      fc.constant([]),
      fc.array(fc.record({ name: strings, description: strings, parameters: odd }), { maxLength: 2 }),
    ),
    stream: fc.oneof(fc.constant('delta'), scraps),
  })
  .map((body): unknown => body);

const bodies = fc.oneof(
  almost.map((value) => JSON.stringify(value)),
  odd.map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constant('['.repeat(5000) + ']'.repeat(5000)),
);
const headers = fc.dictionary(
  fc.constantFrom(
    'idempotency-key',
    'last-event-id',
    'content-type',
    'traceparent',
    'x-request-id',
    'content-length',
  ),
  fc.oneof(
    fc.constantFrom('application/json', '1', '-1', 'NaN', '999999999999'),
    fc.string({ unit: 'grapheme-ascii', maxLength: 10 }),
  ),
  { maxKeys: 2 },
);

test(
  '10,000 requests that are not what they should be: none fails here, none hangs',
  { timeout: 300_000 },
  async () => {
    const { create, turn, send } = stage(async (run) => {
      if (run.history.length > 4) return;
      await run.permission({ toolCallId: 'c1', name: 'read', input: {} });
    });
    const idle = await create();
    const waiting = await create();
    const turnId = String(
      (await turn(waiting, { messages: [{ role: 'user', content: 'hi' }] }))[0]?.data['turnId'],
    );
    const paths = fc.oneof(
      fc.constantFrom(
        '/meta',
        '/sessions',
        `/sessions/${idle}`,
        `/sessions/${idle}/turns`,
        `/sessions/${idle}/history`,
      ),
      fc.constantFrom(
        `/sessions/${waiting}/turns`,
        `/sessions/${waiting}/turns/${turnId}/events`,
        `/sessions/${waiting}/turns/${turnId}/cancel`,
      ),
      fc
        .tuple(fc.constantFrom('/sessions?', `/sessions/${idle}/history?`), fc.webQueryParameters())
        .map((parts) => parts.join('')),
      fc.webPath(),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'POST', 'POST', 'DELETE', 'PUT'),
        paths,
        bodies,
        headers,
        async (method, path, body, more) => {
          if (method === 'DELETE' && (path.includes(idle) || path.includes(waiting))) return;
          const response = await send(method, path, method === 'POST' ? body : undefined, more);
          expect(response.status).toBeLessThan(500);
          const text = await response.text();
          if (response.status < 400) return;
          expect(JSON.parse(text)).toMatchObject({ error: expect.any(String), code: expect.any(String) });
        },
      ),
      { numRuns: 2500 * rounds },
    );
  },
);
