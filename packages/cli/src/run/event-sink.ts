import type { DecidedBy, HostEvent } from '@parley/host';
import type { Ending } from '../conversation/ending.ts';
import type { Output, SessionInfo, ShownEvent } from '../output/output.ts';
import type { Writer } from '../output/writer.ts';

/** What the agent of a run is, as the session is introduced. */
export type AgentIntroduction = Pick<SessionInfo, 'agent' | 'protocolVersion'>;

/** Hands what happens on to the output, and remembers what decides about the exit status. */
export interface EventSink {
  /** Has to be called before the session is opened. */
  introduce(agent: AgentIntroduction): void;
  /** A promise asks the agent to wait. */
  take(event: HostEvent): Promise<void> | undefined;
  /** Whether something needed a person and nobody was there. */
  readonly wasUnanswered: boolean;
}

export interface EventSinkOptions {
  readonly output: Output;
  readonly writer: Writer;
  readonly ending: Ending;
}

/** Begins to collect the events of a run. */
export function createEventSink({ output, writer, ending }: EventSinkOptions): EventSink {
  let introduction: AgentIntroduction | undefined;
  let wasUnanswered = false;

  function show(event: ShownEvent, by?: DecidedBy): Promise<void> | undefined {
    if (by === 'nobody') wasUnanswered = true;
    return output.event(event);
  }

  return {
    introduce(agent) {
      introduction = agent;
    },
    take(event) {
      switch (event.type) {
        case 'session':
          if (introduction !== undefined) {
            output.session({ ...introduction, sessionId: event.sessionId, cwd: event.cwd });
          }
          return undefined;
        case 'update':
          // Once the run is being ended, a reader that does not read must not keep the agent's last answer from us.
          return ending.cause !== undefined && writer.isBehind ? undefined : show(event);
        case 'diagnostic':
          return show(event);
        case 'permission':
        case 'elicitation':
          return show(event, event.by);
        case 'stderr':
          // Its end is shown when the agent fails; before that it is the agent's own log.
          return undefined;
      }
    },
    get wasUnanswered() {
      return wasUnanswered;
    },
  };
}
