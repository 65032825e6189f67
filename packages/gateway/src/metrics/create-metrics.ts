import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { AnsweredRequest } from '../server/create-gateway.ts';

/** What is counted and measured, for Prometheus. */
export interface Metrics {
  /** A request was answered. */
  request(answered: AnsweredRequest): void;
  /** A stream of events was opened; to be called when it ends. */
  openStream(): () => void;
  turnStart(agent: string): void;
  /** The first that an agent said in a turn. */
  firstEvent(agent: string, ms: number): void;
  turnStop(agent: string, turn: { readonly stopReason: string; readonly ms: number }): void;
  /** All of it, in the text format of Prometheus. */
  text(): Promise<string>;
}

/** What is measured at each scrape. */
export interface MetricsSources {
  /** Agent processes, and sessions that wait for one. */
  readonly processes: () => { readonly used: number; readonly idle: number; readonly waiting: number };
  /** Calls that wait for the application, and how long the oldest has. */
  readonly pending: () => Promise<{ readonly calls: number; readonly oldestMs: number }>;
  /** Clients of remote ACP. */
  readonly acpConnections: () => number;
  /** Clients of the hub, and questions that wait for a user. */
  readonly hub: () => { readonly clients: number; readonly questions: number };
}

/** Media type of what Prometheus reads. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

const secondsToFirstEvent = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300];
const secondsOfTurn = [0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

/** Counts and measures, beside what Node reports of itself: memory, event-loop delay, garbage collection. */
export function createMetrics(sources: MetricsSources): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });

  const requests = new Counter({
    name: 'parley_http_requests_total',
    help: 'Requests that were answered.',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'parley_http_request_seconds',
    help: 'Time to the head of an answer.',
    labelNames: ['route'],
    registers,
  });
  const streams = new Gauge({
    name: 'parley_open_streams',
    help: 'Streams of events that are open.',
    registers,
  });
  const turns = new Counter({
    name: 'parley_turns_total',
    help: 'Turns that ended, by stop reason.',
    labelNames: ['agent', 'stop_reason'],
    registers,
  });
  const running = new Gauge({
    name: 'parley_running_turns',
    help: 'Turns that run.',
    labelNames: ['agent'],
    registers,
  });
  const turnSeconds = new Histogram({
    name: 'parley_turn_seconds',
    help: 'How long turns took.',
    labelNames: ['agent'],
    buckets: secondsOfTurn,
    registers,
  });
  const firstEventSeconds = new Histogram({
    name: 'parley_first_event_seconds',
    help: 'From the start of a turn to the first that the agent said.',
    labelNames: ['agent'],
    buckets: secondsToFirstEvent,
    registers,
  });
  addGauges(sources, register);

  return {
    request: ({ route = '', method, status, ms }) => {
      requests.inc({ route, method: knownMethods.has(method) ? method : 'other', status });
      requestSeconds.observe({ route }, ms / 1000);
    },
    openStream: () => {
      streams.inc();
      let isOpen = true;
      return () => {
        if (isOpen) streams.dec();
        isOpen = false;
      };
    },
    turnStart: (agent) => {
      running.inc({ agent });
    },
    firstEvent: (agent, ms) => {
      firstEventSeconds.observe({ agent }, ms / 1000);
    },
    turnStop: (agent, { stopReason, ms }) => {
      running.dec({ agent });
      turns.inc({ agent, stop_reason: stopReason });
      turnSeconds.observe({ agent }, ms / 1000);
    },
    text: () => register.metrics(),
  };
}

/** An unknown method must not become a label of its own. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH']);

function addGauges({ processes, pending, acpConnections, hub }: MetricsSources, register: Registry): void {
  const registers = [register];
  const processGauge = new Gauge({
    name: 'parley_agent_processes',
    help: 'Agent processes.',
    labelNames: ['state'],
    registers,
    collect: () => {
      const { used, idle } = processes();
      processGauge.set({ state: 'used' }, used);
      processGauge.set({ state: 'idle' }, idle);
    },
  });
  const waiting = new Gauge({
    name: 'parley_waiting_sessions',
    help: 'Sessions that wait for an agent process.',
    registers,
    collect: () => {
      waiting.set(processes().waiting);
    },
  });
  const calls = new Gauge({
    name: 'parley_pending_calls',
    help: 'Tool calls that wait for the application.',
    registers,
    collect: async () => {
      calls.set((await pending()).calls);
    },
  });
  const oldest = new Gauge({
    name: 'parley_pending_call_age_seconds',
    help: 'How long the oldest call has waited for the application.',
    registers,
    collect: async () => {
      oldest.set((await pending()).oldestMs / 1000);
    },
  });
  const connections = new Gauge({
    name: 'parley_acp_connections',
    help: 'Clients of remote ACP.',
    registers,
    collect: () => {
      connections.set(acpConnections());
    },
  });
  const hubClients = new Gauge({
    name: 'parley_hub_connections',
    help: 'Clients of the hub: tabs of the web interface.',
    registers,
    collect: () => {
      hubClients.set(hub().clients);
    },
  });
  const questions = new Gauge({
    name: 'parley_open_questions',
    help: 'Questions on the hub that wait for a user.',
    registers,
    collect: () => {
      questions.set(hub().questions);
    },
  });
}
