import type { AcpDiagnostic } from '@parley/acp';
import { expect, test } from 'vitest';
import { createConnectionDiagnostics } from './connection-diagnostics.ts';

function stranger(sessionId: string): AcpDiagnostic {
  return { code: 'unknown-session', message: `no ${sessionId}`, method: 'session/update', sessionId };
}

function collect(): {
  readonly take: ReturnType<typeof createConnectionDiagnostics>;
  readonly messages: string[];
} {
  const messages: string[] = [];
  const take = createConnectionDiagnostics((_level, _code, message) => {
    messages.push(message);
  });
  return { take, messages };
}

test('each unknown session is reported once, by its id', () => {
  const { take, messages } = collect();

  for (let round = 0; round < 3; round += 1) {
    for (let id = 1; id <= 100; id += 1) take(stranger(`ghost-${String(id)}`));
  }

  expect(messages).toHaveLength(100);
  expect(messages[0]).toBe('no ghost-1');
  expect(messages[99]).toBe('no ghost-100 (100 so far)');
});

test('reports of unknown sessions stay bounded, however many ids there are and however long', () => {
  const { take, messages } = collect();

  for (let id = 1; id <= 9999; id += 1) take(stranger(`ghost-${String(id)}`));
  const named = messages.length;
  for (let id = 1; id <= 9999; id += 1) take(stranger(`${'long'.repeat(1000)}-${String(id)}`));

  expect(named).toBeLessThan(300);
  // The 10,000th.
  expect(messages).toHaveLength(named + 1);
});
