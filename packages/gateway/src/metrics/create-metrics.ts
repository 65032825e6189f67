import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { AnsweredRequest } from '../server/exchanges.ts';

/** The metrics for Prometheus. */
export interface Metrics {
  /** Counts an answered request. */
  request(answered: AnsweredRequest): void;
  /** Counts an open event stream; call the returned function when it ends. */
  openStream(): () => void;
  turnStart(agent: string): void;
  /** Records the time to the first output of a turn. */
  firstEvent(agent: string, ms: number): void;
  turnStop(agent: string, turn: { readonly stopReason: string; readonly ms: number }): void;
  /** Records how long a statement took that stored records. */
  stored(ms: number): void;
  /** Returns all metrics in the Prometheus text format. */
  text(): Promise<string>;
}

/** The values that are read at each scrape. */
export interface MetricsSources {
  /** Agent processes, and sessions that wait for one. */
  readonly processes: () => { readonly used: number; readonly idle: number; readonly waiting: number };
  /** Calls that wait for the application, and the age of the oldest. */
  readonly pending: () => Promise<{ readonly calls: number; readonly oldestMs: number }>;
  /** Clients of remote ACP. */
  readonly acpConnections: () => number;
  /** Clients of the hub, and questions that wait for a user. */
  readonly hub: () => { readonly clients: number; readonly questions: number };
  /** Sessions that changed replicas, and commands that wait for one. @default the store is not shared */
  readonly replicas?: () => { readonly leaseChanges: number; readonly commandsWaiting: number };
}

/** Media type of what Prometheus reads. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

const secondsToFirstEvent = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300];
const secondsToStore = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const secondsOfTurn = [0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

/** Creates the metrics, including those of Node: memory, event-loop delay, garbage collection. */
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
  const storeSeconds = new Histogram({
    name: 'parley_store_seconds',
    help: 'How long the store took to store events.',
    buckets: secondsToStore,
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
  if (sources.replicas !== undefined) addReplicas(sources.replicas, register);

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
    stored: (ms) => {
      storeSeconds.observe(ms / 1000);
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

function addReplicas(replicas: NonNullable<MetricsSources['replicas']>, register: Registry): void {
  const registers = [register];
  const leaseChanges = new Counter({
    name: 'parley_lease_changes_total',
    help: 'Sessions that this server took over from another one, or lost to one.',
    registers,
    collect: () => {
      leaseChanges.reset();
      leaseChanges.inc(replicas().leaseChanges);
    },
  });
  const commands = new Gauge({
    name: 'parley_commands_waiting',
    help: 'Commands in the store that wait for a server that can run their session.',
    registers,
    collect: () => {
      commands.set(replicas().commandsWaiting);
    },
  });
}
