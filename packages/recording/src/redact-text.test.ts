import { expect, test } from 'vitest';
import { redactText } from './redact-text.ts';

// Put together here: nothing that looks like a key stands in a file.
const letters = 'abcdefghij0123456789abcdefghij';

test.each([
  [`the key sk-${letters} is mine`, 'the key [redacted] is mine'],
  [`ghp_${letters}`, '[redacted]'],
  [`AKIA${'ABCDEFGH'.repeat(2)}.`, '[redacted].'],
  [`token=eyJ${letters}.${letters}.${letters}`, 'token=[redacted]'],
  [`curl -H "Authorization: Bearer ${letters}" e.com`, 'curl -H "Authorization: [redacted]" e.com'],
  [`curl -H 'X-Api-Key: abc def' e.com`, `curl -H 'X-Api-Key: [redacted]' e.com`],
  [`Bearer ${letters}`, 'Bearer [redacted]'],
  ['export OPENAI_API_KEY=abcdef\nHOME=/home/me', 'export OPENAI_API_KEY=[redacted]\nHOME=/home/me'],
  ['{"api_key": "abcdef", "a": 1}', '{"api_key": "[redacted]", "a": 1}'],
  [String.raw`{\"password\":\"abcdef\"}`, String.raw`{\"password\":\"[redacted]\"}`],
  ['https://e.com/?a=1&access_token=abcdef&b=2', 'https://e.com/?a=1&access_token=[redacted]&b=2'],
  ['postgres://me:abcdef@localhost/db', 'postgres://me:[redacted]@localhost/db'],
  ['login --token abcdef --verbose', 'login --token [redacted] --verbose'],
  ['login --client-secret=abcdef', 'login --client-secret=[redacted]'],
  [
    `a\n-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4\n${letters}\n-----END RSA PRIVATE KEY-----\nb`,
    'a\n[redacted]\nb',
  ],
])('%j has a secret', (text, expected) => {
  expect(redactText(text)).toBe(expected);
});

test.each([
  'Basic authentication needs a password: ask for it.',
  'const token = readToken(); const password: string = input;',
  'TOKEN=$GITHUB_TOKEN npm publish',
  'the stop reason is max_tokens=4096',
  'task-one-of-the-many-things-we-do, sk-learn-is-a-library-of-python',
  'https://example.com/a:b@c',
  '--key-file a.pem --keep-going yes',
])('%j has none', (text) => {
  expect(redactText(text)).toBe(text);
});

test.each([
  'sk-'.repeat(100_000),
  'eyJ'.repeat(100_000),
  'eyJ-.'.repeat(60_000),
  '-----BEGIN PRIVATE KEY-----'.repeat(10_000),
  'a-'.repeat(150_000),
  'Bearer '.repeat(40_000),
  'a="'.repeat(100_000),
  '://a:'.repeat(60_000),
  'a'.repeat(300_000),
  ' --a'.repeat(80_000),
])('a long text is read to its end although it is hostile (%#)', { timeout: 120_000 }, (text) => {
  expect(redactText(`${text}\nAPI_KEY=abcdef`)).not.toContain('abcdef');
});
