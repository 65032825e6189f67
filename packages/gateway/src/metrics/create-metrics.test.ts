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

test('a stream is open until it ends, and ends once', async () => {
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

test('an unknown method is no label of its own', async () => {
  const metrics = create();
  metrics.request({ requestId: '1', method: 'BREW', path: '/x', status: 404, ms: 1 });

  expect(await metrics.text()).toContain(
    'parley_http_requests_total{route="",method="other",status="404"} 1',
  );
});

test('two of them do not count together', async () => {
  create().turnStop('a', { stopReason: 'end_turn', ms: 1 });

  expect(await create().text()).not.toContain('parley_turns_total{');
});

function create(): Metrics {
  return createMetrics({
    processes: () => ({ used: 2, idle: 3, waiting: 4 }),
    pending: () => Promise.resolve({ calls: 5, oldestMs: 6000 }),
    acpConnections: () => 7,
    hub: () => ({ clients: 8, questions: 9 }),
  });
}
