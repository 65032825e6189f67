import { realpath } from 'node:fs/promises';
import type { ConfiguredRule } from '@parley/workspace/rule';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { DecidedBy, PermissionEvent } from '../event/question-event.ts';
import type { SessionStore } from '../store/session-store.ts';
import { outcomeOf } from './audit/audit-entry.ts';
import { decide, heldToOptions, type PolicyDecision } from './decide.ts';
import type { Approve } from './policy.ts';
import { toHonestLine } from './question/honest-text.ts';
import { headlineOf } from './question/question-parts.ts';
import type { StoredAnswerRule } from './remembered/stored-answer.ts';
import type { PermissionSubject } from './request/permission-subject.ts';
import { readRecordedRequest } from './request/recorded-request.ts';

/** What a request of before is judged by. */
export interface SimulatedPolicy {
  readonly rules: readonly ConfiguredRule[];
  readonly answers: readonly StoredAnswerRule[];
}

/** How the requests of a session are judged anew. */
export interface SimulationOptions {
  /** What holds in a session's directory. */
  policyFor(cwd: string): Promise<SimulatedPolicy>;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Requests of before are left out, in milliseconds since 1970. @default none */
  readonly since?: number;
  /** Takes each request that would be decided otherwise; a promise is waited for. */
  onChange(change: ChangedDecision): void | Promise<void>;
}

/** How many requests were judged. */
export interface SimulationCounts {
  readonly judged: number;
  /** Without an answer in the log, or without all that rules look at. */
  readonly unjudged: number;
}

/** A request that would be decided otherwise. */
export interface ChangedDecision {
  /** ISO 8601. */
  readonly time: string;
  readonly agent: string;
  readonly cwd: string;
  readonly requestId: string;
  readonly kind: string;
  /** What was asked for, in one honest line. */
  readonly what: string;
  readonly before: {
    readonly decision: 'allow' | 'reject' | 'cancelled';
    readonly by: DecidedBy;
    readonly person?: string;
    readonly reason: string;
  };
  readonly now: PolicyDecision;
}

/**
 * Judges each permission request in the event log of a session by the rules of now, at the approval level of then as far as
 * the event log has it. What a user answered then counts as asked: it is reported only where rules would decide it now.
 */
export async function simulateSession(
  store: SessionStore,
  key: string,
  options: SimulationOptions,
): Promise<SimulationCounts> {
  const simulation = new SessionSimulation(options);
  await store.read(key, (event) => simulation.take(event), { wants: isWanted });
  return simulation.counts();
}

/** By its JSON: the rest of an event log is not read. */
function isWanted(json: string): boolean {
  return wanted.some((type) => json.includes(type));
}

const wanted = ['journal-start', 'session', 'permission-request', 'permission'].map(
  (type) => `"type":"${type}"`,
);

/** How many requests without an answer are held; of more the oldest counts as not judged. */
const mostOpenRequests = 64;

interface OpenRequest {
  readonly subject: PermissionSubject;
  readonly what: string;
  readonly time: number;
}

class SessionSimulation {
  readonly #options: SimulationOptions;
  readonly #open = new Map<string, OpenRequest>();
  #agent = '';
  #cwd = '';
  #directories: readonly string[] = [];
  #policy: SimulatedPolicy | undefined;
  #judged = 0;
  #unjudged = 0;

  constructor(options: SimulationOptions) {
    this.#options = options;
  }

  async take(event: LoggedEvent): Promise<void> {
    const { since = 0 } = this.#options;
    if (event.type === 'journal-start') this.#agent = event.agent;
    if (event.type === 'journal-start' || event.type === 'session') await this.#enter(event.cwd);
    if (event.type === 'session') this.#directories = event.additionalDirectories ?? [];
    if (event.type === 'permission') await this.#settle(event);
    if (event.type !== 'permission-request' || event.time < since) return;
    const recorded = await readRecordedRequest(event, { cwd: this.#cwd, directories: this.#directories });
    if (recorded === undefined) {
      this.#unjudged += 1;
      return;
    }
    const { subject, action } = recorded;
    this.#open.set(event.requestId, { subject, what: toHonestLine(headlineOf(action)), time: event.time });
    const [oldest] = this.#open.keys();
    if (this.#open.size <= mostOpenRequests || oldest === undefined) return;
    this.#open.delete(oldest);
    this.#unjudged += 1;
  }

  /** What was never answered was never decided. */
  counts(): SimulationCounts {
    return { judged: this.#judged, unjudged: this.#unjudged + this.#open.size };
  }

  /** Sessions judge by the real path of their directory. */
  async #enter(directory: string): Promise<void> {
    const cwd = await realpath(directory).catch(() => directory);
    if (cwd !== this.#cwd) this.#policy = undefined;
    this.#cwd = cwd;
  }

  async #settle(event: PermissionEvent): Promise<void> {
    const { requestId, by, reason, person } = event;
    const request = this.#open.get(requestId);
    if (request === undefined) return;
    this.#open.delete(requestId);
    this.#judged += 1;
    const [agent, cwd] = [this.#agent, this.#cwd];
    const { policyFor, now: time, onChange } = this.#options;
    const { rules, answers } = (this.#policy ??= await policyFor(cwd));
    const subject = { ...request.subject, agent };
    const policy = { approve: approveOf(event), rules, now: () => time };
    const now = heldToOptions(decide(subject, policy, cwd, answers), event.options);
    const { decision } = outcomeOf(event);
    if (isSame(event, decision, now)) return;
    await onChange({
      time: new Date(request.time).toISOString(),
      agent,
      cwd,
      requestId,
      kind: subject.kind ?? 'other',
      what: request.what,
      before: { decision, by, ...(person !== undefined && { person }), reason },
      now,
    });
  }
}

/** The level of then: the default one on a terminal, where the event log does not have it. What no default is was given. */
function approveOf({ because }: PermissionEvent): Approve {
  if (because?.code !== 'level') return { level: 'ask', given: false };
  const { level } = because;
  return { level, given: level !== 'ask' && level !== 'reads' };
}

function isSame(
  { by, remembered }: PermissionEvent,
  decision: 'allow' | 'reject' | 'cancelled',
  now: PolicyDecision,
): boolean {
  switch (by) {
    case 'flag':
    case 'rule':
      return now.decision === decision;
    case 'person':
      // An answer that was remembered may have counted only for then: its user would be asked again.
      return now.decision === 'ask' || (remembered === true && now.decision === decision);
    case 'nobody':
      return now.decision === 'ask';
  }
}
