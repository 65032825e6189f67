import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Redactor } from './redactor.ts';

/** A secret as a user might choose it, long enough not to be found by chance. */
const secret = fc.string({ minLength: 12, maxLength: 40 }).map((text) => `q7${JSON.stringify(text)}Zx`);

const name = fc.constantFrom('PATH', 'HOME', 'API_KEY', 'x-custom', 'Authorization', 'GITHUB_TOKEN');

/** Every place whose value is a secret, with the secret in it. */
const places: Readonly<Record<string, (secret: string, name: string) => unknown>> = {
  'env of an MCP server': (value, key) => ({
    method: 'session/new',
    params: { cwd: '/w', mcpServers: [{ name: 'm', command: 'c', args: [], env: [{ name: key, value }] }] },
  }),
  'headers of an MCP server': (value, key) => ({
    method: 'session/load',
    params: {
      mcpServers: [{ type: 'http', name: 'm', url: 'https://e.com', headers: [{ name: key, value }] }],
    },
  }),
  'env of a terminal': (value, key) => ({
    method: 'terminal/create',
    params: {
      sessionId: 's',
      command: 'c',
      env: [
        { name: 'A', value: 'b' },
        { name: key, value },
      ],
    },
  }),
  'env as an object': (value, key) => ({ params: { _meta: { spawnEnv: { [key]: value } } } }),
  'env as a list of texts': (value, key) => ({ params: { env: [`${key}=${value}`] } }),
  'headers as an object': (value, key) => ({ params: { httpHeaders: { [key]: [value] } } }),
  'a key of a service': (value) => ({ params: { methodId: 'key', _meta: { 'api-key': value } } }),
  'credentials in _meta': (value) => ({
    result: { _meta: { 'x.dev/credentials': { user: 'u', more: [value] } } },
  }),
  'an access token': (value) => ({ result: { access_token: value, tokens: { refresh: value } } }),
  'a password in a tool call': (value) => ({
    params: { update: { rawInput: { user: 'u', dbPassword: value } } },
  }),
  'a config option': (value) => ({
    method: 'session/set_config_option',
    params: { configId: 'openaiApiKey', value },
  }),
  'an answer to a form': (value) => ({ result: { action: 'accept', content: { token: value } } }),
  'the default of a form': (value) => ({
    params: {
      requestedSchema: { type: 'object', properties: { token: { type: 'string', default: value } } },
    },
  }),
  'a flag and its value': (value) => ({
    params: { command: 'curl', args: ['--user', 'u', '--api-key', value] },
  }),
};

test.each(Object.entries(places))('%s: no secret that is given there is left', (_place, put) => {
  fc.assert(
    fc.property(secret, name, (value, key) => {
      const text = JSON.stringify(new Redactor().redact(put(value, key)));
      expect(text).not.toContain(JSON.stringify(value).slice(1, -1));
    }),
  );
});

test('redacting keeps the structure, and does not change what is already redacted', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), secret, name, (value, hidden, key) => {
      const message = { params: { value, env: [{ name: key, value: hidden }], [key]: value } };
      const redacted = new Redactor().redact(message);
      expect(shapeOf(redacted)).toEqual(shapeOf(message));
      expect(new Redactor().redact(redacted)).toEqual(redacted);
    }),
  );
});

/** A value with its keys, lengths and types, and nothing else. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.entries(value).map(([key, inner]): unknown => [key, shapeOf(inner)]);
}

test('a secret that was seen under its name is taken out wherever it comes again', () => {
  const redactor = new Redactor();
  redactor.redact({ env: [{ name: 'MY_TOKEN', value: 'correct (horse) battery' }] });
  expect(redactor.redact({ text: 'it says "correct (horse) battery".' })).toEqual({
    text: 'it says "[redacted]".',
  });
});

test('variables that are no secrets do not take words out of the conversation', () => {
  const redactor = new Redactor();
  redactor.redact({
    env: [
      { name: 'HOME', value: '/home/me' },
      { name: 'API_KEY', value: 'short' },
    ],
  });
  const message = { text: 'a short look at /home/me/a.txt' };
  expect(redactor.redact(message)).toBe(message);
});

test('a message without a secret is the message itself', () => {
  const message = {
    jsonrpc: '2.0',
    method: 'session/update',
    params: {
      sessionId: 's',
      update: { sessionUpdate: 'usage_update', used: 5, inputTokens: 7, max_tokens: 100, tokens: 3 },
      options: [{ optionId: 'allow', kind: 'allow_once' }],
      authMethods: [{ id: 'key', name: 'Key', type: 'env_var', vars: [{ name: 'API_KEY', secret: true }] }],
      auth: { terminal: true },
      stopReason: 'max_tokens',
    },
  };
  expect(new Redactor().redact(message)).toBe(message);
});

test('the properties of a form keep the text that explains them', () => {
  const schema = {
    type: 'object',
    properties: { apiKey: { type: 'string', title: 'The key', default: 'abc' }, password: true },
    required: ['apiKey'],
  };
  expect(new Redactor().redact({ requestedSchema: schema })).toEqual({
    requestedSchema: {
      ...schema,
      properties: { apiKey: { type: 'string', title: 'The key', default: '[redacted]' }, password: true },
    },
  });
});

test('a key called __proto__ is one like any other', () => {
  const message: unknown = JSON.parse('{"__proto__":{"password":"p1"},"env":{"__proto__":"x"}}');
  expect(JSON.stringify(new Redactor().redact(message))).toBe(
    '{"__proto__":{"password":"[redacted]"},"env":{"__proto__":"[redacted]"}}',
  );
});
