import { RpcError } from '@parley/wire';
import { expect, test } from 'vitest';
import { HostError } from '../host-error.ts';
import { redactError } from './redact-error.ts';
import { Redaction } from './redaction.ts';

const redaction = new Redaction(['hush-4711']);

test("an agent's error is passed on without secrets, with its class", () => {
  const error = redactError(new RpcError(-32000, 'no hush-4711', { tried: 'hush-4711' }), redaction);

  expect(error).toBeInstanceOf(RpcError);
  expect(error).toMatchObject({ code: -32000, message: 'no ***', data: { tried: '***' } });
});

test('the log lines of a failed agent are passed on without secrets', () => {
  const cause = new Error('hush-4711');
  const error = redactError(
    new HostError('start-failed', 'start hush-4711', { stderr: 'hush-4711', offered: ['a'], cause }),
    redaction,
  );

  expect(error).toBeInstanceOf(HostError);
  expect(error).toMatchObject({ code: 'start-failed', message: 'start ***', stderr: '***', offered: ['a'] });
  expect(error).not.toHaveProperty('cause');
});

test('other errors are unchanged if they have no secrets', () => {
  const error = new TypeError('nothing');

  expect(redactError(error, redaction)).toBe(error);
  expect(redactError(new TypeError('hush-4711'), redaction)).toMatchObject({ message: '***' });
});
