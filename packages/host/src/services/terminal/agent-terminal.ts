import type { ToolCallUpdate } from '@parley/acp';

/**
 * An agent's report about a command that it runs itself. The protocol has no fields for this; agents and editors use
 * fields in `_meta`, which Codex sends to any client.
 */
export interface AgentTerminalReport {
  readonly terminalId: string;
  readonly cwd?: string;
  /** What the command wrote since the last report. */
  readonly output?: string;
  /** It has ended. */
  readonly end?: { readonly exitCode?: number; readonly signal?: string };
}

/** Reads the report about an agent's own command from a tool call, if there is one. */
export function agentTerminalReport({ _meta: meta }: ToolCallUpdate): AgentTerminalReport | undefined {
  if (meta === undefined) return undefined;
  const info = recordOf(meta['terminal_info']);
  const written = recordOf(meta['terminal_output_delta']) ?? recordOf(meta['terminal_output']);
  const exit = recordOf(meta['terminal_exit']);
  const terminalId = textOf((info ?? written ?? exit)?.['terminal_id']);
  if (terminalId === undefined) return undefined;
  const cwd = textOf(info?.['cwd']);
  const output = textOf(written?.['data']);
  return {
    terminalId,
    ...(cwd !== undefined && { cwd }),
    ...(output !== undefined && { output }),
    ...(exit !== undefined && { end: endOf(exit) }),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function endOf(exit: Fields): NonNullable<AgentTerminalReport['end']> {
  const exitCode = exit['exit_code'];
  const signal = textOf(exit['signal']);
  return {
    ...(typeof exitCode === 'number' && { exitCode }),
    ...(signal !== undefined && { signal }),
  };
}

function recordOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
