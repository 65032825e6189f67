import { randomUUID } from 'node:crypto';
import type { ContentBlock } from '@parley/aap';
import type { Run } from '@parley/aap/server';
import type {
  CreateElicitationRequest,
  RequestPermissionRequest,
  SessionUpdate,
  ToolCallUpdate,
} from '@parley/acp';
import type { ElicitationAnswer, Sender, SignedAnswer } from '@parley/host';
import { isDeeper } from '@parley/wire';
import type { AgentToolCall } from '../client-tools/tool-endpoint.ts';
import { GatewayError } from '../gateway-error.ts';
import { toElicitationAnswer, toQuestion } from './ask-user.ts';
import { CallTracker } from './calls/call-tracker.ts';
import { EarlierAnswers } from './calls/earlier-answers.ts';
import { toPermissionAnswer } from './calls/permission-option.ts';
import { askUserTool } from './launch-plan.ts';
import { RunUpdates } from './run-updates.ts';

/** Nesting depth of the input of an application's tool. */
const inputLevels = 100;

/** What a run is carried out with. */
export interface BridgedRunOptions {
  readonly isApplicationCall: (call: ToolCallUpdate) => boolean;
  /**
   * Called when the application has answered, and may have changed settings, before the agent receives the answer.
   */
  readonly onAnswer: () => void;
}

/** A run in progress: forwards the agent's messages and requests to the application, and the answers back. */
export class BridgedRun {
  readonly #run: Run;
  readonly #options: BridgedRunOptions;
  readonly #earlier: EarlierAnswers;
  readonly #tracker: CallTracker;
  readonly #updates: RunUpdates;
  readonly #ending = new AbortController();
  /** Whether forwarding to the application has failed. */
  #hasFailed = false;
  #isSuspended = false;
  #rejectSuspended: (error: GatewayError) => void = () => {};
  /** Rejects when the run is ended while it waits for the application. */
  readonly suspended: Promise<never> = new Promise<never>((_resolve, reject) => {
    this.#rejectSuspended = reject;
  });

  constructor(run: Run, options: BridgedRunOptions) {
    const { isApplicationCall } = options;
    const { input } = run;
    this.#run = run;
    this.#options = options;
    this.#earlier = new EarlierAnswers(input.role === 'answers' ? input.answers : []);
    this.#tracker = new CallTracker({
      run,
      earlier: this.#earlier,
      usedIds: callIds(run),
      isApplicationCall,
      later: (report) => void this.#attempt(report),
    });
    this.#updates = new RunUpdates(run, this.#tracker);
    // The two have one life. A signal made of two others costs a turn a good deal more than this.
    const end = (): void => this.#ending.abort(run.signal.reason);
    if (run.signal.aborted) end();
    else run.signal.addEventListener('abort', end, { once: true });
  }

  /** Aborted when the run was cancelled, or when forwarding to the application failed. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  /** Ends the run because its agent is ended while it waits for the application, whose answers start another run. */
  suspend(): void {
    this.#isSuspended = true;
    this.#hasFailed = true;
    this.#rejectSuspended(
      new GatewayError(
        'suspended',
        'the agent was stopped while the run waited, because another session needed its slot',
      ),
    );
  }

  /** Stores the agent's messages so far. */
  flush(): void {
    this.#run.flush();
  }

  take(update: SessionUpdate): void | Promise<void> {
    return this.#attempt(() => this.#updates.take(update));
  }

  /** @throws The error that kept an event from the run. */
  throwIfFailed(): void {
    if (this.#hasFailed) this.#ending.signal.throwIfAborted();
  }

  async permission({ toolCall, options }: RequestPermissionRequest): Promise<SignedAnswer> {
    const permission = await this.#tracker.permission(toolCall, options);
    if (!this.#isSuspended) this.#options.onAnswer();
    return { ...toPermissionAnswer(permission, options), ...toSender(this.#run) };
  }

  /** Asks the application's user by a tool of the application's, if it has one for that. */
  async elicitation(request: CreateElicitationRequest): Promise<ElicitationAnswer> {
    if (!this.#run.clientTools.some(({ name }) => name === askUserTool)) return { action: 'cancel' };
    const answer = await this.callTool({ name: askUserTool, input: toQuestion(request) });
    return { ...toElicitationAnswer(request, answer), ...toSender(this.#run) };
  }

  /** Has the application use one of its tools. */
  async callTool(call: AgentToolCall): Promise<string | readonly ContentBlock[]> {
    this.#tracker.hide(call);
    const { name, input } = call;
    if (isDeeper(input, inputLevels)) throw new TypeError(`${name}: the input has too many levels`);
    const earlier = this.#earlier.takeResult(call);
    if (earlier !== undefined) return earlier;
    const result = await this.#run.callClientTool({ toolCallId: `app-${randomUUID()}`, name, input });
    this.#options.onAnswer();
    return result;
  }

  /** Ends the run. Calls without a result get one with the reason. */
  async end(reason: string): Promise<void> {
    await this.#tracker.end(reason);
  }

  /** Never throws: its caller is in the middle of reading what the agent wrote. */
  #attempt(report: () => void | Promise<void>): void | Promise<void> {
    // A run that failed receives nothing more: nothing of it could be stored.
    if (this.#hasFailed) return undefined;
    try {
      return report()?.catch((error: unknown) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #fail(error: unknown): void {
    this.#hasFailed = true;
    this.#ending.abort(error);
  }
}

/** The sender of the application's turn, for events. */
export function toSender({ sender: { name, client } }: Run): Sender {
  return {
    ...(name !== undefined && { person: name }),
    ...(client !== undefined && { client: { name: client } }),
  };
}

/** The ids of all calls that a session has had. */
function callIds({ history }: Run): Set<string> {
  const ids = new Set<string>();
  for (const { role, content } of history) {
    if (role !== 'assistant' || typeof content === 'string') continue;
    for (const block of content) if (block.type === 'tool_use') ids.add(block.toolCallId);
  }
  return ids;
}
