import type { AgentInfo, ToolCall } from '@parley/aap';
import type { Run, RunEnd, ServedAgent } from '@parley/aap/server';

const info: AgentInfo = {
  name: 'tour',
  title: 'A tour of the protocol',
  version: '1.2.3',
  tools: [
    { name: 'read', description: 'Reads a file.', parameters: { type: 'object' } },
    { name: 'edit', description: 'Changes a file.', parameters: { type: 'object' } },
  ],
  options: [
    { type: 'select', name: 'model', options: ['small', 'large'], default: 'small' },
    { type: 'secret', name: 'apiKey', default: '' },
  ],
  capabilities: {
    history: { full: {} },
    stream: { delta: {}, message: {}, none: {} },
    application: { tools: {} },
    image: { data: {} },
  },
};

/** The tool that the application brings. */
export const clock = { name: 'clock', description: 'The current time.', parameters: { type: 'object' } };

let calls = 0;

/**
 * An agent that does all there is in the protocol: it thinks, speaks, reads what it may read, and asks at once for a permission and
 * for a tool of the application.
 */
export const tourAgent: ServedAgent = {
  info,
  async run(run: Run): Promise<RunEnd> {
    await run.thinking('First I ');
    await run.thinking('look.');
    await run.text(`The model is ${run.options['model'] ?? ''}. `);
    await read(run);
    if (run.clientTools.length === 0) return { stopReason: 'end_turn' };
    const edit: ToolCall = { toolCallId: newCallId(), name: 'edit', input: { path: 'a.ts' } };
    const asked = run.permission(edit);
    const time = run.callClientTool({ toolCallId: newCallId(), name: 'clock', input: {} });
    const [permission, answer] = await Promise.all([asked, time]);
    if (permission.granted) await run.toolResult({ toolCallId: edit.toolCallId, content: 'Changed.' });
    await run.text(`It is ${typeof answer === 'string' ? answer : 'late'}.`);
    return { stopReason: 'end_turn' };
  },
};

async function read(run: Run): Promise<void> {
  const call: ToolCall = { toolCallId: newCallId(), name: 'read', input: { path: 'a.ts' } };
  const { granted } = await run.permission(call);
  if (granted) await run.toolResult({ toolCallId: call.toolCallId, content: [{ type: 'text', text: '1' }] });
}

function newCallId(): string {
  return `call-${++calls}`;
}
