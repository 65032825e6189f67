import { AgentError } from '../agent-error.ts';
import type { Tool } from './tool.ts';

/** Tool names that an error message lists. */
const maxNames = 40;

/**
 * Finds the tool of a call: by its exact name, else the only one whose name differs in case, in `-` for `_`, or in a
 * prefix such as `functions.`. Otherwise an `AgentError` `unknown-tool` lists the tools.
 */
export function findTool(tools: readonly Tool[], name: string): Tool {
  const exact = tools.find((tool) => tool.name === name);
  if (exact !== undefined) return exact;
  const wanted = toPlain(name.slice(name.search(/[^.:/]*$/u)));
  const [found, another] = tools.filter((tool) => toPlain(tool.name) === wanted);
  if (found !== undefined && another === undefined) return found;
  const names = tools.slice(0, maxNames).map((tool) => tool.name);
  const more = tools.length > maxNames ? ' and more' : '';
  throw new AgentError('unknown-tool', `Unknown tool "${name}". The tools are: ${names.join(', ')}${more}`);
}

function toPlain(name: string): string {
  return name.trim().toLowerCase().replaceAll('-', '_');
}
