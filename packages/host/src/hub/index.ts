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
  type LastingEntry,
  type LogNote,
  type NewSessionMeta,
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
export type { HubChanges } from './hub-changes.ts';
export type {
  HubAnswer,
  HubQuestion,
  ElicitationQuestion,
  LastingChoice,
  PermissionQuestion,
  SettledAnswer,
  SettledQuestion,
  SignInQuestion,
} from './hub-question.ts';
export type { AnsweredBecause, Because, OwnedRule } from '../permission/because.ts';
export {
  heldContent,
  type AgentRestart,
  type HubSession,
  type HubSessionState,
  type HeldContent,
  type QueuedPrompt,
} from './hub-session.ts';
