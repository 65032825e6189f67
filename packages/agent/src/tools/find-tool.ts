import { AgentError } from '../agent-error.ts';
import type { Tool } from './tool.ts';

const maxNames = 40;

/**
 * The tool a model means: the one of that name, else the only one whose name differs in its case, in `-` for `_`, or
 * in a prefix such as `functions.`; an `AgentError` `unknown-tool` says what there is.
 */
export function findTool(tools: readonly Tool[], name: string): Tool {
  const exact = tools.find((tool) => tool.name === name);
  if (exact !== undefined) return exact;
  const wanted = toPlain(name.slice(name.search(/[^.:/]*$/u)));
  const [found, another] = tools.filter((tool) => toPlain(tool.name) === wanted);
  if (found !== undefined && another === undefined) return found;
  const names = tools.slice(0, maxNames).map((tool) => tool.name);
  const more = tools.length > maxNames ? ' and more' : '';
  throw new AgentError('unknown-tool', `There is no tool "${name}". There are: ${names.join(', ')}${more}`);
}

function toPlain(name: string): string {
  return name.trim().toLowerCase().replaceAll('-', '_');
}
