import type { ToolCallContent, ToolCallUpdate } from '@parley/acp';
import { agentTerminalReport } from './agent-terminal.ts';

/** Remembered calls with output; the oldest are dropped first. */
const maxCalls = 1024;

/** Stored end of a call's output. */
const maxLength = 256 * 1024;

/** The streamed output of commands that agents run themselves, by their calls. */
export interface ReportedOutputs {
  /** Records an update of a call. */
  note(call: ToolCallUpdate): void;
  /** The content of a finished call: its own, else the output of its command. */
  takeContent(call: ToolCallUpdate): readonly ToolCallContent[];
}

/** Starts empty. */
export function createReportedOutputs(): ReportedOutputs {
  const outputs = new Map<string, string>();
  return {
    note(call) {
      const output = agentTerminalReport(call)?.output;
      if (output === undefined || output === '') return;
      const text = `${outputs.get(call.toolCallId) ?? ''}${output}`;
      outputs.set(call.toolCallId, text.slice(-maxLength));
      if (outputs.size > maxCalls) outputs.delete(outputs.keys().next().value ?? '');
    },
    takeContent({ toolCallId, content = [] }) {
      const text = outputs.get(toolCallId);
      outputs.delete(toolCallId);
      if (text === undefined || content.some(({ type }) => type === 'content')) return content;
      return [...content, { type: 'content', content: { type: 'text', text } }];
    },
  };
}
