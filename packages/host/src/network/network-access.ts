import { matchesHost, targetText, type ConnectionAnswer, type ConnectionRequest } from '@parley/workspace';
import type { SessionScope } from '../agent-session/session-scope.ts';
import { storedBefore } from '../event/event-store.ts';
import type { HostContext } from '../host-context.ts';
import { decide, denialOf } from '../permission/decide.ts';
import type { Decision } from '../permission/decision.ts';
import { judge } from '../permission/judge.ts';
import { subjectOf } from '../permission/request/permission-subject.ts';
import { aborted, untilAborted } from '../until-aborted.ts';
import { toConnectionQuestion, type AskedConnection } from './connection-question.ts';

/** How long a connection waits for a session to open: 10 seconds. */
const defaultOpeningMs = 10_000;

/** How long a connection waits for the answer to its permission request: 2 minutes. The request stays open. */
const defaultAnswerMs = 2 * 60_000;

/** Connections that wait for an answer at the same time; more are blocked. */
const mostWaiting = 64;

/** Hosts that a turn may ask for or that are denied to it; more are blocked without an event. */
const mostHosts = 256;

/** Where connections are judged. */
export interface NetworkPlace {
  readonly host: HostContext;
  /** The session that is open; undefined before. */
  readonly session: () => SessionScope | undefined;
  /** Settles when a session is open. */
  readonly opened: Promise<unknown>;
}

/** What a network is opened with. */
export interface NetworkAccessOptions {
  /** Each `host`, `host:port` or `*.host`. */
  readonly hosts: readonly string[];
  /** Aborted when the network is closed. */
  readonly closed: AbortSignal;
  readonly limits?: NetworkLimits;
}

/** Limits of the waits of a connection. */
export interface NetworkLimits {
  /** For a session to open. @default 10000 */
  readonly openingMs?: number;
  /** For the answer to its permission request, which stays open. @default 120000 */
  readonly answerMs?: number;
}

/** What was decided about a host in the running turn. */
interface HostDecision {
  /** Set while a user is asked. */
  pending?: Promise<Decision>;
  /** Connections that wait for the answer. */
  waiting: number;
  /** Why it is blocked for the rest of the turn, without asking again. */
  refusal?: string;
  /** An event says that a rule or a remembered answer decided. */
  isReported?: true;
  /** Set if it was allowed once when no connection waited any more. */
  isAllowedOnce?: true;
}

/**
 * Decides about the network connections of programs in a sandbox. Hosts of the sandbox's list are allowed unless a
 * rule denies them; for others, the user is asked. One question covers all waiting connections to a host.
 */
export class NetworkAccess {
  readonly #hosts: readonly string[];
  #place: NetworkPlace | undefined;
  readonly #closed: AbortSignal;
  readonly #limits: Required<NetworkLimits>;
  /** By `host:port`, for the turn of `#turn`. */
  #decisions = new Map<string, HostDecision>();
  #turn: AbortSignal | undefined;
  /** The hosts that were blocked before a session was open. */
  readonly #early = new Set<string>();
  #waiting = 0;
  #isFull = false;

  constructor({ hosts, closed, limits = {} }: NetworkAccessOptions) {
    this.#hosts = hosts;
    this.#closed = closed;
    const { openingMs = defaultOpeningMs, answerMs = defaultAnswerMs } = limits;
    this.#limits = { openingMs, answerMs };
  }

  /** Judges connections there from now on. */
  serve(place: NetworkPlace): void {
    this.#place = place;
  }

  /** Never rejects. */
  async allow(request: ConnectionRequest): Promise<ConnectionAnswer> {
    try {
      return await this.#allow(request);
    } catch (error) {
      return refused(error instanceof Error ? error.message : String(error));
    }
  }

  async #allow({ target, resolvedFrom, signal }: ConnectionRequest): Promise<ConnectionAnswer> {
    const name = targetText(target);
    const isListed = this.#hosts.some((pattern) => matchesHost(pattern, name, 'usual-ports') === true);
    const asked = { target, isListed, ...(resolvedFrom !== undefined && { resolvedFrom }) };
    const place = this.#place;
    if (place !== undefined && place.session() === undefined && !isListed) {
      await this.#wait(place.opened, signal, this.#limits.openingMs);
    }
    const session = place?.session();
    if (place === undefined || session === undefined) return isListed ? allowed : this.#refuseEarly(name);
    const { host } = place;
    const decision = await decideNow(asked, session, host);
    if (isListed && decision !== 'reject') return allowed;
    const known = this.#decisionOn(name, session, host);
    if (known === undefined) return refused('too many other hosts were blocked in this turn');
    if (decision !== 'ask') {
      if (known.isReported === true) return decision === 'allow' ? allowed : refused(known.refusal ?? byRule);
      known.isReported = true;
      const judged = await this.#judge(asked, session, host);
      if (!judged.isGranted) known.refusal = judged.reason;
      return toAnswer(judged);
    }
    if (known.refusal !== undefined) return refused(known.refusal);
    if (known.isAllowedOnce === true) {
      delete known.isAllowedOnce;
      return allowed;
    }
    if (this.#waiting >= mostWaiting) return refused('too many connections wait for an answer');
    known.pending ??= this.#ask(known, asked, session, host);
    known.waiting += 1;
    const answer = await this.#wait(known.pending, signal, this.#limits.answerMs);
    known.waiting -= 1;
    return answer === undefined ? refused('its permission request is not answered yet') : toAnswer(answer);
  }

  /**
   * Rejects a connection before the session exists: no user can be asked and nothing is logged, so a diagnostic is
   * reported.
   */
  #refuseEarly(name: string): ConnectionAnswer {
    if (!this.#early.has(name) && this.#early.size < mostHosts) {
      this.#early.add(name);
      const message = `the sandbox blocked ${name} before the session was open`;
      this.#place?.host.diagnose('warning', 'host-blocked', message);
    }
    return refused('it is not a host of the sandbox, and no session is open yet');
  }

  /** Asks the user one question for all connections to a host. */
  async #ask(
    known: HostDecision,
    asked: AskedConnection,
    session: SessionScope,
    host: HostContext,
  ): Promise<Decision> {
    const endQuestion = session.beginQuestion();
    try {
      const decision = await this.#judge(asked, session, host);
      if (!decision.isGranted) known.refusal = decision.reason;
      else if (known.waiting === 0 && decision.option?.kind === 'allow_once') known.isAllowedOnce = true;
      return decision;
    } finally {
      delete known.pending;
      endQuestion();
    }
  }

  async #judge(asked: AskedConnection, session: SessionScope, host: HostContext): Promise<Decision> {
    const signal = AbortSignal.any([this.#closed, session.questionSignal]);
    const decision = await judge(toConnectionQuestion(asked, session), host, signal);
    if (decision.isGranted) await storedBefore(host.store, `connect to ${targetText(asked.target)}`);
    return decision;
  }

  /** The decision about a host in the running turn; undefined if there are too many hosts. */
  #decisionOn(name: string, session: SessionScope, host: HostContext): HostDecision | undefined {
    if (session.questionSignal !== this.#turn) {
      this.#turn = session.questionSignal;
      this.#decisions = new Map();
      this.#isFull = false;
    }
    const known = this.#decisions.get(name);
    if (known !== undefined) return known;
    if (this.#decisions.size >= mostHosts) {
      if (!this.#isFull) {
        const message = `the sandbox blocks further hosts: programs wanted more than ${String(mostHosts)} in this turn`;
        host.diagnose('warning', 'limit-reached', message);
      }
      this.#isFull = true;
      return undefined;
    }
    const decision: HostDecision = { waiting: 0 };
    this.#decisions.set(name, decision);
    return decision;
  }

  /** Waits for an answer; undefined if it did not come in time. */
  async #wait<T>(answer: Promise<T>, signal: AbortSignal, limitMs: number): Promise<T | undefined> {
    if (this.#waiting >= mostWaiting) return undefined;
    this.#waiting += 1;
    const expiry = new AbortController();
    const timer = setTimeout(() => {
      expiry.abort();
    }, limitMs);
    try {
      const end = AbortSignal.any([signal, this.#closed, expiry.signal]);
      const answered = await untilAborted(answer, end);
      return answered === aborted ? undefined : answered;
    } finally {
      clearTimeout(timer);
      this.#waiting -= 1;
    }
  }
}

const allowed: ConnectionAnswer = { isAllowed: true };

const byRule = 'a rule denies it';

function refused(reason: string): ConnectionAnswer {
  return { isAllowed: false, reason };
}

function toAnswer({ isGranted, reason }: Decision): ConnectionAnswer {
  return isGranted ? allowed : refused(reason);
}

/**
 * The decision of the policy and the remembered answers, without an event. Hosts on the sandbox's list are denied
 * only by a rule that names them.
 */
async function decideNow(
  asked: AskedConnection,
  session: SessionScope,
  { agentName, answers, policy }: HostContext,
): Promise<'allow' | 'reject' | 'ask'> {
  const { seen, cwd } = toConnectionQuestion(asked, session);
  const subject = { ...subjectOf(seen), agent: agentName };
  const given = await answers.rulesFor({ sessionId: session.id, cwd });
  if (!asked.isListed) return decide(subject, policy, cwd, given).decision;
  const rules = [...policy.rules, ...given].filter(({ host }) => host !== undefined);
  return denialOf(subject, rules, cwd, policy.now?.()) === undefined ? 'allow' : 'reject';
}
