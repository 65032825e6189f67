import { expect, test } from 'vitest';
import { agentTerminalReport } from './agent-terminal.ts';
import { createReportedOutputs } from './reported-outputs.ts';

const call = (_meta: Readonly<Record<string, unknown>>): { toolCallId: string; _meta: typeof _meta } => ({
  toolCallId: 'a',
  _meta,
});

test.each([
  [{ terminal_info: { terminal_id: 't', cwd: '/w' } }, { terminalId: 't', cwd: '/w' }],
  [{ terminal_output_delta: { terminal_id: 't', data: 'x' } }, { terminalId: 't', output: 'x' }],
  [{ terminal_output: { terminal_id: 't', data: 'x' } }, { terminalId: 't', output: 'x' }],
  [
    { terminal_exit: { terminal_id: 't', exit_code: 1, signal: null } },
    { terminalId: 't', end: { exitCode: 1 } },
  ],
  [
    { terminal_exit: { terminal_id: 't', exit_code: null, signal: 'SIGKILL' } },
    { terminalId: 't', end: { signal: 'SIGKILL' } },
  ],
  [{ terminal_output: { data: 'x' } }, undefined],
  [{ terminal_output: 'x', terminal_exit: null, terminal_info: [] }, undefined],
  [{}, undefined],
])('%o reports %o', (meta, report) => {
  expect(agentTerminalReport(call(meta))).toEqual(report);
});

test("an ended call shows its command's output once, unless it has its own content", () => {
  const outputs = createReportedOutputs();
  const write = (data: string): void => {
    outputs.note(call({ terminal_output_delta: { terminal_id: 't', data } }));
  };
  const text = (words: string): object => ({ type: 'content', content: { type: 'text', text: words } });
  const terminal = { type: 'terminal', terminalId: 't' } as const;
  write('one\n');
  write('two\n');
  expect(outputs.takeContent({ toolCallId: 'a', content: [terminal] })).toEqual([
    terminal,
    text('one\ntwo\n'),
  ]);
  expect(outputs.takeContent({ toolCallId: 'a' })).toEqual([]);
  write('three\n');
  const own = [{ type: 'content', content: { type: 'text', text: 'own' } }] as const;
  expect(outputs.takeContent({ toolCallId: 'a', content: own })).toEqual(own);
});
