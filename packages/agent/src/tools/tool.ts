import type { PlanEntry, ToolCallContent, ToolCallLocation, ToolKind } from '@parley/acp';
import type { CommandSandbox, Environment } from '../environment.ts';
import type { Files } from '../files.ts';
import type { Jobs } from '../job/jobs.ts';
import type { AgentLimits } from '../limits.ts';
import type { ModelImage } from '../model/image.ts';
import type { ModelTool } from '../model/model.ts';
import type { Action } from '../permission/action.ts';
import type { SubagentResult, SubagentTask } from '../subagent/subagent-task.ts';
import type { CommandRunner } from './command/command-runner.ts';
import type { Question } from './question.ts';

/** Something a model can call. */
export interface Tool extends ModelTool {
  readonly kind: ToolKind;
  /** Whether repeating the same call is useful, because it returns new results. @default false */
  readonly isRepeatable?: boolean;
  /** Whether its calls in one response run at the same time. @default false */
  readonly isParallel?: boolean;
  /** Parses the arguments of a call; throws an `AgentError` `invalid-input` that says what is wrong. */
  prepare(input: unknown, workplace: Workplace): PreparedCall | PreparedPlan;
}

/** Where the tools of one session work. */
export interface Workplace {
  /** The session's directory as the client named it; paths sent to the client begin with it. */
  readonly cwd: string;
  readonly files: Files;
  readonly environment: Environment;
  /** Runs commands whose end is waited for. */
  readonly commands: CommandRunner;
  /** Holds the commands of the turn. @default they are not held */
  readonly sandbox?: CommandSandbox;
  /** Its commands in the background. */
  readonly jobs: Jobs;
  readonly limits: AgentLimits;
}

/** One call, understood and not run yet. */
export interface PreparedCall {
  /** The title that the user reads: "Read src/a.ts". */
  readonly title: string;
  /** Each file and folder it touches: rules are held against them. */
  readonly locations?: readonly ToolCallLocation[];
  readonly action: Action;
  /** What the user should see before deciding; throws when the call cannot succeed. */
  preview?(): Promise<Preview>;
  /** Does it; what it throws makes the call `failed`. */
  run(call: TurnCall): Promise<ToolOutput>;
}

/** A call that is nothing but a plan for the user; it is shown as one, and not as a tool call. */
export interface PreparedPlan {
  readonly plan: readonly PlanEntry[];
}

/** What a call is about to do. */
export interface Preview {
  readonly content?: readonly ToolCallContent[];
  readonly locations?: readonly ToolCallLocation[];
  /** The folder that a command starts in, as the client named it. */
  readonly startsIn?: string;
}

/** What a running call gets from its caller. */
export interface RunningCall {
  readonly signal: AbortSignal;
  /** The trace context the prompt came with. */
  readonly trace?: Readonly<Record<string, unknown>>;
  /** Displays content while the call is running, in place of the previous content. */
  show(content: readonly ToolCallContent[]): Promise<void>;
}

/** What a running call gets from its turn. */
export interface TurnCall extends RunningCall {
  /** The user's answer, or `(user unavailable)`. */
  askUser(question: Question): Promise<string>;
  /** Runs a sub-agent. What goes wrong in it is in its result; an error says that there was none. */
  runSubagent(task: SubagentTask): Promise<SubagentResult>;
}

/** What came of a call. */
export interface ToolOutput {
  /** For the model. */
  readonly text: string;
  /** For the model, beside the text. */
  readonly images?: readonly ModelImage[];
  /** For people. */
  readonly content: readonly ToolCallContent[];
  /** Stored in place of `content`, if that displays something temporary. @default `content` */
  readonly keptContent?: readonly ToolCallContent[];
  /** For programs. */
  readonly rawOutput: Readonly<Record<string, unknown>>;
  readonly locations?: readonly ToolCallLocation[];
  /** The call succeeded, but the program that it ran failed. */
  readonly isError?: boolean;
}
