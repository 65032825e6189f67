import type { ToolCallContent, ToolCallUpdate } from '@parley/acp';
import { agentTerminalReport } from './agent-terminal.ts';

/** How many calls with output are remembered; the oldest is forgotten first. */
const maxCalls = 1024;

/** How much of the output of a call is remembered, from its end. */
const maxLength = 256 * 1024;

/** The streamed output of commands that agents run themselves, by their calls. */
export interface ReportedOutputs {
  /** Records an update of a call. */
  note(call: ToolCallUpdate): void;
  /** What a call that ended has to show: its own content and, where that has no words, what its command wrote. */
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
