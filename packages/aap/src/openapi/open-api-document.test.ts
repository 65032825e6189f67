import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { definitions } from '../schema/definitions.ts';
import { endpoints } from '../server/endpoints/route.ts';
import { openApiDocument } from './open-api-document.ts';

const document = openApiDocument({ serverUrl: 'https://example.com/aap' });

test('it is a valid OpenAPI 3.1 document', async () => {
  const result = await new Validator({ strict: false }).validate(JSON.stringify(document, undefined, 2));
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
});

test('each reference resolves', () => {
  const references = [...JSON.stringify(document).matchAll(/"(#\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(references.length).toBeGreaterThan(100);
  for (const reference of new Set(references)) {
    let target: unknown = document;
    for (const key of reference.slice(2).split('/')) target = (target as Record<string, unknown>)[key];
    expect(target, reference).toBeTypeOf('object');
  }
});

test('it contains all schemas and endpoints', () => {
  expect(Object.keys(document.components['schemas'] ?? {})).toEqual(Object.keys(definitions));
  expect(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  ).toEqual([
    'GET /meta',
    'GET /sessions',
    'POST /sessions',
    'GET /sessions/{sessionId}',
    'DELETE /sessions/{sessionId}',
    'GET /sessions/{sessionId}/history',
    'POST /sessions/{sessionId}/turns',
    'GET /sessions/{sessionId}/turns',
    'GET /sessions/{sessionId}/turns/{turnId}',
    'GET /sessions/{sessionId}/turns/{turnId}/events',
    'POST /sessions/{sessionId}/turns/{turnId}/cancel',
  ]);
});

test("the server's responses match the document", () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(endpoints.toSorted()).toEqual(described.toSorted());
});
