import type { DeskAgent } from './desk-agent.ts';
import type { DeskQuestion, SettledQuestion } from './desk-question.ts';
import type { DeskSession } from './desk-session.ts';

/** What has changed on the desk. What is absent has not. */
export interface DeskNews {
  /** Those that are new or have changed. */
  readonly sessions?: readonly DeskSession[];
  /** The keys of sessions that are gone. */
  readonly removed?: readonly string[];
  /** All agents. */
  readonly agents?: readonly DeskAgent[];
  /** All questions that wait, the oldest first. */
  readonly questions?: readonly DeskQuestion[];
  /** Of those that waited, the ones that have just ceased to. */
  readonly settled?: readonly SettledQuestion[];
}
