import type { SettledQuestion, SignInState } from '@parley/host/hub';
import type { HubLimits } from '../limits.ts';
import type { FrameLog } from './frame-log.ts';
import type { HubAgentSource, HubOptions } from './hub-options.ts';
import type { TerminalText } from './live-terminals.ts';
import type { SessionNotes } from './session-notes.ts';
import type { TypedVariables } from './typed-variables.ts';

/** What a session is steered with. */
export interface SessionOptions {
  readonly key: string;
  readonly source: HubAgentSource;
  readonly cwd: string;
  /** For a new one; one that is kept says it in its event log. */
  readonly additionalDirectories?: readonly string[];
  /** What its agent calls it, where its event log does not say it yet. */
  readonly agentSessionId?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** What its event log says it is called. */
  readonly title?: string;
  readonly notes: SessionNotes;
  readonly hub: HubOptions;
  readonly limits: HubLimits;
  readonly frames: FrameLog;
  /** What persons typed for its agent. */
  readonly variables: TypedVariables;
  /** What lists show of it may have changed. */
  readonly onChange: () => void;
  /** It has other questions; one may have been settled. */
  readonly onQuestions: (settled?: SettledQuestion) => void;
  readonly onLog: (text: string) => void;
  readonly onTerminal: (text: TerminalText) => void;
  /** Its agent wants somebody to sign in, or somebody has. */
  readonly onSignIn: (state: SignInState) => void;
  /** Another program has it open. */
  readonly onElsewhere: () => void;
  /** Whether what needs a person is refused: its turn, or its beginning, is for a client that cannot answer, and no other may. */
  readonly isUnattended: (isTurnUnattended: boolean) => boolean;
}
