import { expect, test } from 'vitest';
import { scopes } from '../access/token.ts';
import { mayUse } from '../server/route.ts';
import { createMetrics } from './create-metrics.ts';
import { metricsRoute } from './metrics-route.ts';

test('a token that sees only its own sessions does not see the metrics of all', () => {
  const route = metricsRoute(
    createMetrics({
      processes: () => ({ used: 0, idle: 0, waiting: 0 }),
      pending: () => Promise.resolve({ calls: 0, oldestMs: 0 }),
      acpConnections: () => 0,
      hub: () => ({ clients: 0, questions: 0 }),
    }),
  );

  const allowed = scopes.filter((scope) => mayUse(route, 'GET', { id: 'token:1', name: 'a', scope }));

  expect(new Set(allowed)).toEqual(new Set(['admin', 'observe']));
});
