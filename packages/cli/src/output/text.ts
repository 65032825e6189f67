import type { Plan, ToolCallUpdate } from '@parley/acp';
import type { UpdateEvent } from '@parley/host';
import { summaryText } from '../changes/changes-text.ts';
import type { Output, ShownEvent, ShownPrompt } from './output.ts';
import { toPlainLine } from './plain.ts';
import type { Style } from './style.ts';
import { SubagentLines } from './subagent-lines.ts';
import { TextPage, type MessageView } from './text-page.ts';
import { ToolCallLines } from './tool-call-lines.ts';
import {
  planMark,
  toAnswer,
  toCompactionState,
  toNotice,
  toPromptLines,
  toSteeringRemark,
  toWords,
} from './update-text.ts';
import type { Writer } from './writer.ts';

/** Shows what sub-agents do. */
export interface SubagentView {
  /** The lines about an update, if there are any. */
  take(event: UpdateEvent): string | undefined;
}

/** Where the text goes, and how it looks. */
export interface TextOptions {
  readonly writer: Writer;
  readonly style: Style;
  /** The output goes to the screen on which the user was asked: what was shown there is not repeated. */
  readonly isScreen: boolean;
  /** What goes to standard error appears between the lines of the output. */
  readonly isShared: boolean;
  /** Where warnings go: standard error. */
  readonly warn: (message: string) => void;
  /** Called for each call that ended, with its whole result: only the beginning or the end of it may have been shown. */
  readonly onEnded?: (call: ToolCallUpdate) => void;
  /** @default messages are written as they come */
  readonly messages?: MessageView;
  /** What is shown of sub-agents among the lines. @default a line on standard error when one is announced, and each time it becomes idle */
  readonly subagents?: SubagentView;
}

/** Text for a user: the agent's words as they come, and a few lines for each tool call. */
export function createTextOutput(options: TextOptions): Output {
  const text = new TextOutput(options);
  return {
    session() {
      // The words of the agent come first.
    },
    event(event) {
      text.show(event);
      return options.writer.ready();
    },
    makeRoom: () => text.makeRoom(),
    stop: () => text.makeRoom(),
  };
}

class TextOutput {
  readonly #options: TextOptions;
  readonly #page: TextPage;
  readonly #calls: ToolCallLines;
  readonly #subagents: SubagentView;
  /** The lines of the plan that was shown last. */
  #plan: readonly string[] = [];

  constructor(options: TextOptions) {
    const { writer, style, messages, subagents = new SubagentLines() } = options;
    this.#options = options;
    this.#page = new TextPage(writer, style, messages);
    this.#calls = new ToolCallLines(this.#page, options);
    this.#subagents = subagents;
  }

  makeRoom(): Promise<void> {
    return this.#page.makeRoom();
  }

  show(event: ShownEvent): void {
    const { isScreen } = this.#options;
    if (event.type === 'update') this.#showSubagent(event);
    // What a sub-agent says and does is in its own conversation.
    if ('subagent' in event) return;
    switch (event.type) {
      case 'update':
        this.#update(event);
        break;
      case 'permission-request':
        this.#calls.asked(event.toolCall);
        break;
      case 'permission':
        this.#calls.answered(event);
        break;
      case 'elicitation':
        // The question and its answer are on the screen of the user who was asked there.
        if (isScreen && event.by === 'person' && event.client === undefined) break;
        this.#page.line(`  question: ${toPlainLine(event.message)}: ${toAnswer(event)}`);
        break;
      case 'changes':
        // A script that reads the text wants what the agent said.
        if (isScreen) this.#remark(`Changed ${summaryText(event)}`);
        break;
      case 'network':
        // The hosts of each turn are for scripts; what was blocked is shown when it happens.
        break;
      case 'prompt':
        this.#prompt(event);
        break;
      case 'steering':
        if (event.outcome !== 'queued') this.#prompt(event, toSteeringRemark(event.outcome));
        break;
      case 'diagnostic':
        // Why the run ended is its last line.
        if (event.level !== 'info' && event.code !== 'turn-timeout') {
          this.#warn(`${event.code}: ${event.message}`);
        }
        break;
    }
  }

  #update({ view, replay }: UpdateEvent): void {
    if (replay) return;
    switch (view.sessionUpdate) {
      case 'agent_message_chunk':
        this.#page.message(toWords(view.content), view.messageId);
        break;
      case 'agent_thought_chunk':
        this.#page.thought(toWords(view.content));
        break;
      case 'tool_call':
        this.#calls.take(view, true);
        break;
      case 'tool_call_update':
        this.#calls.take(view, false);
        break;
      case 'plan':
        this.#showPlan(view.entries);
        break;
      case 'current_mode_update':
        this.#remark(`mode: ${toPlainLine(view.currentModeId)}`);
        break;
      case 'compaction_update':
        this.#remark(`compaction of the conversation: ${toPlainLine(toCompactionState(view))}`);
        break;
      case 'notice':
        this.#remark(toNotice(view));
        break;
      default:
        // The others say nothing about this turn that a user would read here.
        break;
    }
  }

  #showSubagent(event: UpdateEvent): void {
    const about = this.#subagents.take(event);
    if (about === undefined) return;
    if (this.#options.subagents === undefined) this.#warn(about);
    else this.#page.line(about.split('\n').map(this.#options.style.dim).join('\n'));
  }

  #showPlan(entries: Plan['entries']): void {
    const shown = entries.map(({ status, content }) => `  ${planMark(status)} ${toPlainLine(content)}`);
    const changed = shown.filter((entry) => !this.#plan.includes(entry));
    this.#plan = shown;
    if (changed.length > 0) this.#page.line(['Plan:', ...changed].join('\n'));
  }

  /** Of another client. */
  #prompt({ content, client, token }: Omit<ShownPrompt, 'type'>, remark?: string): void {
    const { style } = this.#options;
    const from = [token, client?.name, remark].filter((name) => name !== undefined).join(', ');
    this.#page.line(toPromptLines(content.map(toWords).join(''), style));
    if (from !== '') this.#page.endLine(style.dim(`(${toPlainLine(from)})`));
  }

  #remark(text: string): void {
    this.#page.line(this.#options.style.dim(text));
  }

  #warn(message: string): void {
    const { isShared, warn } = this.#options;
    if (!isShared) {
      warn(message);
      return;
    }
    // What is written here ends its line first.
    void this.makeRoom().then(() => {
      warn(message);
    });
  }
}
