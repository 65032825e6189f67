export type { AgentCard, AgentPlace, HubAgent, SignInState } from './hub-agent.ts';
export type { HubFrame } from './hub-frame.ts';
export {
  hubMethods,
  type AnswerParams,
  type AnswersResult,
  type AttendParams,
  type AttendResult,
  type CancelParams,
  type FramesNote,
  type EventsNote,
  type ListedAnswer,
  type LogNote,
  type NewSessionMeta,
  type NewSessionWorktree,
  type PromptMeta,
  type QueueChange,
  type QueueParams,
  type RenameParams,
  type RevokeParams,
  type SessionParams,
  type SignInParams,
  type TerminalNote,
  type WatchParams,
} from './hub-methods.ts';
export { agentsAfter, questionsAfter, type HubChanges } from './hub-changes.ts';
export type {
  HubAnswer,
  HubQuestion,
  ElicitationQuestion,
  PermissionQuestion,
  SettledAnswer,
  SettledQuestion,
  SignInQuestion,
} from './hub-question.ts';
export type { DecisionReason, PolicyReason, OwnedRule } from '../permission/reason.ts';
export {
  heldContent,
  type AgentRestart,
  type HubSession,
  type HubSessionState,
  type HeldContent,
  type QueuedPrompt,
} from './hub-session.ts';
export type {
  ChangedContent,
  ChangesDiff,
  ChangesList,
  CommitParams,
  CommitResult,
  ContentParams,
  DiffFile,
  DiffHunk,
  DiffParams,
  HunksParams,
  HunksResult,
  ListedFile,
  ListedTurn,
  RedoParams,
  RestoreResult,
  UndoParams,
} from './session-changes.ts';
