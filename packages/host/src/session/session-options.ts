import type { AgentSpec } from '../agent/agent-spec.ts';
import type { FrameLog } from '../frames/frame-log.ts';
import type { SignInState } from '../hub/hub-agent.ts';
import type { SettledQuestion } from '../hub/hub-question.ts';
import type { TerminalText } from './live-terminals.ts';
import type { SessionLimits } from './session-limits.ts';
import type { SessionNotes } from './session-notes.ts';
import type { SessionRuntime } from './session-runtime.ts';
import type { TypedVariables } from './typed-variables.ts';

/** What a session is steered with. */
export interface SessionOptions {
  readonly key: string;
  /** The name of its agent. */
  readonly agent: string;
  /** @default its agent cannot be started here */
  readonly spec?: AgentSpec;
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
  readonly runtime: SessionRuntime;
  readonly limits: SessionLimits;
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
