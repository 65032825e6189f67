import { openChainedLog, readChainedLog, type ChainReport, type LogFormat } from '@parley/workspace';
import type { HostEvent } from '../../event/host-event.ts';
import type { RequestedAction } from '../request/requested-action.ts';
import { cut, outcomeOf, toAuditedAction, type AuditEntry } from './audit-entry.ts';

/** The record of all decisions about permissions on this machine, which several processes add to. */
export interface AuditLog {
  /** Adds a decision. Never rejects: a failure is reported. */
  add(entry: AuditEntry): Promise<void>;
  /** Takes the events of an agent, and adds the decisions among them. */
  follow(place: AuditPlace): AuditFollower;
  /** Settles when all that was added is in the file. */
  flush(): Promise<void>;
}

/** Whose decisions they are. */
export interface AuditPlace {
  readonly agent: string;
  /** The client that decided, if it has no name of its own: `terminal`, `hub` or `aap`. */
  readonly client: string;
  readonly cwd?: string;
}

/** Takes the events of one agent, in order. */
export type AuditFollower = (event: HostEvent, session?: string) => void;

/** Where the audit log is, and who is notified if it cannot be written. */
export interface OpenAuditOptions {
  readonly directory: string;
  /** A decision is not recorded. Reported once, until one is recorded again. */
  readonly onFailure: (error: unknown) => void;
}

/** Opens the record; neither the folder nor a file of it needs to be there. */
export function openAuditLog({ directory, onFailure }: OpenAuditOptions): AuditLog {
  const log = openChainedLog({ directory, format });
  let last: Promise<void> = Promise.resolve();
  let hasFailed = false;
  const add = (entry: AuditEntry): Promise<void> => {
    last = log.append({ ...entry }).then(
      () => {
        hasFailed = false;
      },
      (error: unknown) => {
        if (!hasFailed) onFailure(error);
        hasFailed = true;
      },
    );
    return last;
  };
  return { add, follow: (place) => followEvents(place, add), flush: () => last };
}

/** An entry as it is stored, with its number, the hash of the one before and its own. */
export interface StoredAuditEntry extends Readonly<Record<string, unknown>> {
  readonly hash: string;
}

/** Reads the record from its oldest entry on, and checks its chain. */
export function readAuditLog(
  directory: string,
  read: (entry: StoredAuditEntry) => void,
): Promise<ChainReport> {
  return readChainedLog({ directory, format }, (entry, hash) => {
    read({ ...entry, hash });
  });
}

const format: LogFormat = { name: 'permissions-audit', version: 1 };

/** Open requests that are remembered; beyond that, the oldest one is recorded without its action. */
const mostOpen = 1024;

function followEvents(
  { agent, client, cwd: given }: AuditPlace,
  add: (entry: AuditEntry) => Promise<void>,
): AuditFollower {
  const open = new Map<string, RequestedAction>();
  let cwd = given;
  return (event, session) => {
    if (event.type === 'session') cwd = event.cwd;
    if (event.type === 'permission-request' && event.action !== undefined) {
      open.set(event.requestId, event.action);
      const [oldest] = open.keys();
      if (open.size > mostOpen && oldest !== undefined) open.delete(oldest);
    }
    if (event.type !== 'permission') return;
    const { requestId, toolCallId, by, reason, because, remembered, person, client: answering } = event;
    const action = open.get(requestId);
    open.delete(requestId);
    void add({
      time: new Date().toISOString(),
      agent: cut(agent),
      session: cut(session ?? event.sessionId),
      ...(session !== undefined && session !== event.sessionId && { agentSession: cut(event.sessionId) }),
      ...(cwd !== undefined && { cwd: cut(cwd) }),
      requestId,
      toolCallId: cut(toolCallId),
      ...outcomeOf(event),
      by,
      reason: cut(reason),
      ...(because?.code === 'rules' && { rules: because.rules.slice(0, mostRules) }),
      ...(remembered === true && { remembered }),
      client: answering === undefined ? client : cut(answering.name),
      ...(person !== undefined && { token: cut(person) }),
      ...(action !== undefined && { action: toAuditedAction(action) }),
    });
  };
}

/** Rules of one entry. */
const mostRules = 20;
