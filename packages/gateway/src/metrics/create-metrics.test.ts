import { expect, test } from 'vitest';
import { createMetrics, type Metrics } from './create-metrics.ts';

test('turns are counted by stop reason, and running turns are a gauge', async () => {
  const metrics = create();
  metrics.turnStart('a');
  metrics.turnStart('a');
  metrics.firstEvent('a', 40);
  metrics.turnStop('a', { stopReason: 'end_turn', ms: 900 });

  const text = await metrics.text();

  expect(text).toContain('parley_turns_total{agent="a",stop_reason="end_turn"} 1');
  expect(text).toContain('parley_running_turns{agent="a"} 1');
  expect(text).toContain('parley_first_event_seconds_bucket{le="0.05",agent="a"} 1');
  expect(text).toContain('parley_turn_seconds_sum{agent="a"} 0.9');
});

test('a stream is counted as open until it ends, and ends once', async () => {
  const metrics = create();
  const end = metrics.openStream();
  metrics.openStream();

  end();
  end();

  expect(await metrics.text()).toContain('parley_open_streams 1');
});

test('processes, waiting sessions and calls are measured when they are scraped', async () => {
  const text = await create().text();

  expect(text).toContain('parley_agent_processes{state="used"} 2');
  expect(text).toContain('parley_agent_processes{state="idle"} 3');
  expect(text).toContain('parley_waiting_sessions 4');
  expect(text).toContain('parley_pending_calls 5');
  expect(text).toContain('parley_pending_call_age_seconds 6');
  expect(text).toContain('parley_acp_connections 7');
  expect(text).toContain('parley_hub_connections 8');
  expect(text).toContain('parley_open_questions 9');
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/mu);
});

test('an unknown method does not get a label', async () => {
  const metrics = create();
  metrics.request({ requestId: '1', method: 'BREW', path: '/x', status: 404, ms: 1 });

  expect(await metrics.text()).toContain(
    'parley_http_requests_total{route="",method="other",status="404"} 1',
  );
});

test('two instances count separately', async () => {
  create().turnStop('a', { stopReason: 'end_turn', ms: 1 });

  expect(await create().text()).not.toContain('parley_turns_total{');
});

test('servers that share a store count lease changes and waiting commands; others do not have these metrics', async () => {
  const text = await create({ replicas: () => ({ leaseChanges: 3, commandsWaiting: 2 }) }).text();

  expect(text).toContain('parley_lease_changes_total 3');
  expect(text).toContain('parley_commands_waiting 2');
  expect(await create().text()).not.toMatch(/parley_lease|parley_commands/u);
});

function create(sources: Partial<Parameters<typeof createMetrics>[0]> = {}): Metrics {
  return createMetrics({
    processes: () => ({ used: 2, idle: 3, waiting: 4 }),
    pending: () => Promise.resolve({ calls: 5, oldestMs: 6000 }),
    acpConnections: () => 7,
    hub: () => ({ clients: 8, questions: 9 }),
    ...sources,
  });
}
