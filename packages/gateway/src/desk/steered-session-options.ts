import type { SettledQuestion, SignInState } from '@parley/host/desk';
import type { DeskLimits } from '../limits.ts';
import type { DeskAgentSource, DeskOptions } from './desk-options.ts';
import type { FrameLog } from './frame-log.ts';
import type { TerminalText } from './live-terminals.ts';
import type { SessionNotes } from './session-notes.ts';
import type { TypedVariables } from './typed-variables.ts';

/** What a session is steered with. */
export interface SteeredSessionOptions {
  readonly key: string;
  readonly folder: string;
  readonly source: DeskAgentSource;
  readonly cwd: string;
  /** For a new one; one that is kept says it in its journal. */
  readonly additionalDirectories?: readonly string[];
  /** What its agent calls it, where its journal does not say it yet. */
  readonly agentSessionId?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** What its journal says it is called. */
  readonly title?: string;
  readonly notes: SessionNotes;
  readonly desk: DeskOptions;
  readonly limits: DeskLimits;
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
