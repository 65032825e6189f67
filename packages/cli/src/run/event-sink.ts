import type {
  DecidedBy,
  ElicitationEvent,
  HostEvent,
  PermissionEvent,
  PermissionRequestEvent,
} from '@parley/host';
import type { Ending } from '../conversation/ending.ts';
import { isShown, type Output, type ShownSession, type ShownEvent } from '../output/output.ts';
import type { Writer } from '../output/writer.ts';
import { toStep } from './turn-steps.ts';

/** What the agent of a run is, as the session is introduced. */
export type AgentIntroduction = Pick<ShownSession, 'agent' | 'protocolVersion'>;

/** Hands what happens on to the output, and remembers what decides about the exit status. */
export interface EventSink {
  /** Has to be called before the session is opened. */
  introduce(agent: AgentIntroduction): void;
  /** A promise asks the agent to wait. */
  take(event: HostEvent): Promise<void> | undefined;
  /** Whether a question needed a user and none could answer. */
  readonly wasUnanswered: boolean;
  /** Whether only questions of the agent had no answer: nothing that could have been allowed in advance. */
  readonly wasOnlyAsked: boolean;
  /** The hosts that the sandbox blocked, if no other question was left without an answer. */
  readonly blockedHosts: readonly string[];
}

/** Where the events of a run go, and what ends it. */
export interface EventSinkOptions {
  readonly output: Output;
  readonly writer: Writer;
  readonly ending: Ending;
}

/** Begins to collect the events of a run. */
export function createEventSink({ output, writer, ending }: EventSinkOptions): EventSink {
  let introduction: AgentIntroduction | undefined;
  let wasUnanswered = false;
  /** Hosts that were asked for, by the request. */
  const hosts = new Map<string, string>();
  const blocked = new Set<string>();
  let wasOther = false;
  let wasAsked = false;
  let wasRejected = false;

  function note(event: PermissionRequestEvent | PermissionEvent | ElicitationEvent): void {
    if (event.type === 'permission-request') {
      const { toolCallId, title = '' } = event.toolCall;
      if (toolCallId.startsWith('network_')) hosts.set(event.requestId, title.replace('Connect to ', ''));
    } else if (event.by === 'nobody') {
      if (event.type === 'elicitation') wasAsked = true;
      else wasRejected = true;
      const host = hosts.get(event.requestId);
      if (host === undefined) wasOther = true;
      else blocked.add(host);
    }
  }

  function show(event: ShownEvent, by?: DecidedBy): Promise<void> | undefined {
    if (by === 'nobody') wasUnanswered = true;
    return output.event(event);
  }

  return {
    introduce(agent) {
      introduction = agent;
    },
    take(event) {
      if (event.type === 'session') {
        if (introduction !== undefined) {
          const { sessionId, cwd, worktree, sandbox } = event;
          output.session({
            ...introduction,
            sessionId,
            cwd,
            ...(worktree !== undefined && { worktree }),
            ...(sandbox !== undefined && { sandbox }),
          });
        }
        return undefined;
      }
      const step = toStep(event);
      if (step !== undefined) return show(step);
      // What the agent writes to standard error is its own log: its end is shown when the agent fails.
      if (!isShown(event)) return undefined;
      switch (event.type) {
        case 'update':
          // Once the run is being ended, a reader that does not read must not keep the agent's last answer from us.
          return ending.cause !== undefined && writer.isBehind ? undefined : show(event);
        case 'permission-request':
          note(event);
          return show(event);
        case 'changes':
        case 'network':
        case 'diagnostic':
          return show(event);
        case 'permission':
        case 'elicitation':
          note(event);
          return show(event, event.by);
      }
    },
    get wasUnanswered() {
      return wasUnanswered;
    },
    get wasOnlyAsked() {
      return wasAsked && !wasRejected;
    },
    get blockedHosts() {
      return wasOther ? [] : [...blocked];
    },
  };
}
