import { expect, test } from 'vitest';
import { redactEvent } from './redact-event.ts';
import { redactSettings } from './redact-settings.ts';
import { Redaction } from './redaction.ts';

const settings = {
  modes: { currentModeId: 'a', availableModes: [{ id: 'a', name: 'as hush-4711' }] },
  configOptions: [
    {
      type: 'select',
      id: 'o',
      name: 'hush-4711',
      currentValue: 'v',
      options: [{ value: 'v', name: 'hush-4711', description: 'hush-4711' }],
    },
  ],
  models: [{ modelId: 'm', name: 'hush-4711', isCurrent: true }],
} as const;

test('settings are shown without secrets, and can still be set', () => {
  const output = redactSettings(settings, new Redaction(['hush-4711']));

  expect(JSON.stringify(output)).not.toContain('hush');
  expect(output).toMatchObject({
    modes: { currentModeId: 'a', availableModes: [{ id: 'a', name: 'as ***' }] },
    configOptions: [{ id: 'o', currentValue: 'v', options: [{ value: 'v', name: '***' }] }],
    models: [{ modelId: 'm', name: '***', isCurrent: true }],
  });
});

test.each(['session-ready', 'settings'] as const)('the event %s holds no secret', (type) => {
  const event = redactEvent({ type, sessionId: 's', ...settings }, new Redaction(['hush-4711']));

  expect(event).toMatchObject({ type, sessionId: 's', modes: { currentModeId: 'a' } });
  expect(JSON.stringify(event)).not.toContain('hush');
});

test("an agent's name contains no secret", () => {
  const event = redactEvent(
    {
      type: 'agent-start',
      agent: 'talker',
      info: { name: 'hush-4711', version: '1.0.0', title: 'hush-4711' },
      protocolVersion: 1,
      capabilities: {},
    },
    new Redaction(['hush-4711']),
  );

  expect(event).toMatchObject({ agent: 'talker', info: { name: '***', title: '***', version: '1.0.0' } });
});
