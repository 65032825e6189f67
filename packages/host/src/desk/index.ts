export type { AgentCard, AgentPlace, DeskAgent, SignInState } from './desk-agent.ts';
export type { DeskFrame } from './desk-frame.ts';
export {
  deskMethods,
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
} from './desk-methods.ts';
export type { DeskNews } from './desk-news.ts';
export type {
  DeskAnswer,
  DeskQuestion,
  ElicitationQuestion,
  LastingChoice,
  PermissionQuestion,
  SettledAnswer,
  SettledQuestion,
  SignInQuestion,
} from './desk-question.ts';
export type { AnsweredBecause, Because, OwnedRule } from '../permission/because.ts';
export {
  heldContent,
  type AgentRestart,
  type DeskSession,
  type DeskSessionState,
  type HeldContent,
  type QueuedPrompt,
} from './desk-session.ts';
