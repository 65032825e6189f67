import type {
  PermissionOption,
  RequestPermissionOutcome,
  SessionUpdate,
  ToolCallContent,
  ToolCallUpdate,
} from '@parley/acp';
import type { Conversation } from '../conversation/conversation.ts';
import type { Dialect } from '../dialect.ts';
import type { Clock } from '../environment.ts';
import type { AgentLimits } from '../limits.ts';
import type { ModelNotice } from '../model/model.ts';
import type { SubagentResult, SubagentTask } from '../subagent/subagent-task.ts';
import type { Question } from '../tools/question.ts';
import type { Tool, Workplace } from '../tools/tool.ts';

/** The parts of one turn. */
export interface Turn {
  readonly conversation: Conversation;
  /** The workplace of its tools: the session's, with the client's services. */
  readonly workplace: Workplace;
  /** The tools there are at this moment: the mode and the servers of the session decide. */
  readonly offerTools: () => readonly Tool[];
  /** Instructions to the model in files, beside the conversation. */
  readonly instructionFiles: readonly InstructionFile[];
  readonly limits: AgentLimits;
  readonly clock: Clock;
  readonly client: TurnClient;
  /**
   * Runs a sub-agent for a call.
   *
   * @param show Displays content in the call.
   */
  readonly runSubagent: (
    task: SubagentTask,
    show: (content: readonly ToolCallContent[]) => Promise<void>,
  ) => Promise<SubagentResult>;
  readonly dialect?: Dialect;
}

/** The client, as a turn sees it. */
export interface TurnClient {
  /** Aborted when the turn is cancelled or the connection ends. */
  readonly signal: AbortSignal;
  /** The trace context of the prompt, as `_meta` has it. */
  readonly trace?: Readonly<Record<string, unknown>>;
  /** Resolves when more can be sent. @param kept The record that is stored instead. */
  update(update: SessionUpdate, kept?: SessionUpdate): Promise<void>;
  /** Sends the user something that is no answer. */
  notify(messageId: string, notice: ModelNotice): Promise<void>;
  requestPermission(toolCall: ToolCallUpdate, options: PermissionOption[]): Promise<RequestPermissionOutcome>;
  /** The user's answer, or `(user unavailable)`. */
  askUser(toolCallId: string, question: Question): Promise<string>;
}

/** Instructions to the model in a file, beside the prompts. */
export interface InstructionFile {
  readonly owner: 'user' | 'project';
  readonly path: string;
  readonly text: string;
}
