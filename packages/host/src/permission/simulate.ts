import { realpath } from 'node:fs/promises';
import type { ConfiguredRule } from '@parley/workspace/rule';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { DecidedBy, PermissionEvent } from '../event/question-event.ts';
import type { SessionStore } from '../store/session-store.ts';
import { outcomeOf } from './audit/audit-entry.ts';
import { decide, heldToOptions, type PolicyDecision } from './decide.ts';
import type { Approve, Policy } from './policy.ts';
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

/** Options for simulating the requests of a session. */
export interface SimulationOptions {
  /** Returns the policy in a session's folder. */
  policyFor(cwd: string): Promise<SimulatedPolicy>;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Requests of before are left out, in milliseconds since 1970. @default none */
  readonly since?: number;
  /** Takes each request that would be decided differently; a promise is waited for. */
  onChange(change: ChangedDecision): void | Promise<void>;
}

/** How many requests were judged. */
export interface SimulationCounts {
  readonly judged: number;
  /** Requests without an answer in the log, or without the fields that rules need. */
  readonly unjudged: number;
}

/** A request that would be decided differently. */
export interface ChangedDecision {
  /** ISO 8601. */
  readonly time: string;
  readonly agent: string;
  readonly cwd: string;
  readonly requestId: string;
  readonly kind: string;
  /** The action in one line. */
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
 * Applies the current rules to each permission request in a session's event log, with the approval level of that time
 * as far as the log records it. A request that the user answered is reported only if the rules would now decide it.
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

/** Requests without a decision that are remembered; the oldest are reported as undecided. */
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
    const policy = { approve: approveOf(event), rules, now: () => time, ...sandboxOf(event) };
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

/** The approval level of that time: the recorded one, else the default level on a terminal. */
function approveOf({ because }: PermissionEvent): Approve {
  if (because?.code !== 'level') return { level: 'ask', given: false };
  const { level } = because;
  return { level, given: level !== 'ask' && level !== 'reads' };
}

/** The sandbox of then, where its holding the command decided. */
function sandboxOf({ because }: PermissionEvent): Pick<Policy, 'sandboxed'> {
  return because?.code === 'sandboxed' ? { sandboxed: because.mode } : {};
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
