export type {
  Interruption,
  LoggedUpdate,
  LoggedEntry,
  LoggedEvent,
  EventStamp,
  EventLogStart,
  Omission,
  UnknownEntry,
} from '../event/logged-event.ts';
export type {
  ChangedFile,
  ChangedPath,
  ChangesEvent,
  ChangesOperationEvent,
  ChangeStatus,
  MoreFiles,
  OmittedFile,
  RestoredFile,
} from '../event/changes-event.ts';
export { parseLoggedEvent } from '../event/parse-logged-event.ts';
export { folderFields, pathFields } from '../permission/request/input-fields.ts';
export type {
  RequestedAction,
  RequestedCommand,
  RequestedContent,
  RequestedFile,
  RequestedVariable,
} from '../permission/request/requested-action.ts';
export {
  toPermissionChoices,
  type LastingChoices,
  type PermissionChoices,
} from '../permission/permission-choices.ts';
export { toAddress, type Address, type AddressOddity } from '../permission/question/address.ts';
export {
  gapText,
  spell,
  toHonestLine,
  toHonestPieces,
  toHonestText,
  type Gap,
  type GapWords,
  type HonestPiece,
  type HonestText,
} from '../permission/question/honest-text.ts';
export {
  headlineOf,
  toQuestionParts,
  type ChangeNote,
  type QuestionChange,
  type QuestionFile,
  type QuestionPart,
  type QuestionWarning,
} from '../permission/question/question-parts.ts';
export { isSecretField, type AskedField } from '../permission/question/secret-field.ts';
export { quoteWord, quoteWords } from '../permission/question/quoted-words.ts';
export type {
  AgentEndItem,
  CompactionItem,
  DiagnosticItem,
  Chunk,
  FileWriteItem,
  InterruptionItem,
  Item,
  ItemBase,
  MessageItem,
  MessageRole,
  NoticeItem,
  OmissionItem,
  PermissionState,
  QuestionItem,
  RecoveryItem,
  SessionMessageItem,
  SubagentItem,
  ToolCallItem,
  UnknownItem,
} from './transcript/item.ts';
export { at, type List, type ListNode, values } from './list.ts';
export { isUndone, pathKey, reduceChanges } from './changes.ts';
export {
  noChanges,
  type ChangedFileState,
  type ChangedTurn,
  type ChangesState,
  type UndoState,
} from './changes-state.ts';
export { readingMs } from './reading-time.ts';
export { reduce } from './reduce.ts';
export { reduceFacts } from './reduce-facts.ts';
export {
  type AgentLife,
  type AgentProcess,
  canFork,
  type FirstPrompt,
  interruptionOf,
  type IntroducedAgent,
  isUnfinished,
  noFacts,
  type OpenQuestion,
  runningTurn,
  type SessionFacts,
  type SessionPhase,
  titleOf,
  turnCount,
  type TurnState,
} from './session-facts.ts';
export { isWorking, subagentOf } from './subagents.ts';
export { entries, get, type Table, type TableEntry, type TableNode } from './table.ts';
export { tokensIn, type Tokens } from '../agent-session/turn/tokens.ts';
export {
  emptyState,
  type Progress,
  type Replay,
  type TerminalState,
  type Transcript,
  type TranscriptTurn,
  type SessionUsage,
  type SessionState,
  type SubagentState,
  type SubagentWork,
} from './session-state.ts';
