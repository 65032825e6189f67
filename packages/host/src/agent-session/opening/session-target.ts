import type { HostContext } from '../../host-context.ts';
import type { SessionAgent } from '../session-agent.ts';
import type { SessionTable } from '../session-table.ts';
import type { OpenElsewhere } from './open-elsewhere.ts';

/** The agent that a session is opened on. */
export interface SessionTarget {
  readonly agent: SessionAgent;
  readonly sessions: SessionTable;
  readonly host: HostContext;
  readonly elsewhere: OpenElsewhere;
}
