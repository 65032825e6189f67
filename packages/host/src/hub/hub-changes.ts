import type { HubAgent } from './hub-agent.ts';
import type { HubQuestion, SettledQuestion } from './hub-question.ts';
import type { HubSession } from './hub-session.ts';

/** What has changed on the hub. What is absent has not. */
export interface HubChanges {
  /** Those that are new or have changed. */
  readonly sessions?: readonly HubSession[];
  /** The keys of sessions that are gone. */
  readonly removed?: readonly string[];
  /** All agents. */
  readonly agents?: readonly HubAgent[];
  /** All questions that wait, the oldest first. */
  readonly questions?: readonly HubQuestion[];
  /** Of those that waited, the ones that have just ceased to. */
  readonly settled?: readonly SettledQuestion[];
}
