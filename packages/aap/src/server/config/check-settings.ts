import { shorten } from '@parley/wire';
import type { AgentInfo, AgentOption } from '../../agent-info.ts';
import type { ContentBlock } from '../../content-block.ts';
import type { ServerToolRef, ToolSpec } from '../../tool.ts';
import type { AapServerLimits } from '../limits.ts';
import { RequestError } from '../request-error.ts';
import { findSchemaFault } from '../schema/find-schema-fault.ts';

/** What of an agent's settings a request brings. */
export interface RequestedSettings {
  readonly tools?: readonly ServerToolRef[];
  readonly options?: Readonly<Record<string, string>>;
}

/** Refuses tools and options that the agent does not have. */
export function checkSettings(info: AgentInfo, { tools, options }: RequestedSettings): void {
  for (const { name } of tools ?? []) {
    if (info.tools?.some((tool) => tool.name === name) !== true) {
      throw new RequestError(
        400,
        'unknown_tool',
        `agent.tools: ${info.name} has no tool ${JSON.stringify(shorten(name))}`,
      );
    }
  }
  expectUnique((tools ?? []).map(({ name }) => name));
  for (const [name, value] of Object.entries(options ?? {})) {
    const option = info.options?.find((each) => each.name === name);
    if (option === undefined) {
      throw new RequestError(
        400,
        'unknown_option',
        `agent.options: ${info.name} has no option ${JSON.stringify(shorten(name))}`,
      );
    }
    checkValue(option, value);
  }
}

function checkValue(option: AgentOption, value: string): void {
  if (option.type !== 'select' || option.options.includes(value)) return;
  const message = `agent.options.${option.name}: expected one of ${option.options.map((each) => JSON.stringify(each)).join(', ')}`;
  throw new RequestError(400, 'invalid_option', message);
}

/** What else decides whether tools may be used. */
export interface ClientToolsOptions {
  readonly limits: AapServerLimits;
  /** The agent's own tools. */
  readonly enabled?: readonly ServerToolRef[] | undefined;
}

/** Rejects tools of the application that could not be distinguished, or that the agent does not take. */
export function checkClientTools(
  info: AgentInfo,
  tools: readonly ToolSpec[],
  { limits, enabled = [] }: ClientToolsOptions,
): void {
  if (tools.length === 0) return;
  if (tools.length > limits.clientTools) {
    throw new RequestError(400, 'invalid_request', `tools: expected at most ${String(limits.clientTools)}`);
  }
  if (info.capabilities?.application?.tools === undefined) {
    throw new RequestError(
      400,
      'unsupported_tools',
      `tools: ${info.name} does not accept tools of the application`,
    );
  }
  expectUnique([...tools, ...enabled].map(({ name }) => name));
  for (const [index, { parameters }] of tools.entries()) {
    const fault = findSchemaFault(parameters)
      ?.within('parameters')
      .within(`tools[${String(index)}]`);
    if (fault !== undefined) throw new RequestError(400, 'invalid_tool_schema', fault.message);
  }
}

/** Refuses images that the agent does not take. */
export function checkImages(info: AgentInfo, content: string | readonly ContentBlock[]): void {
  if (typeof content === 'string') return;
  for (const block of content) {
    if (block.type !== 'image') continue;
    const kind = imageKind(block.url);
    if (kind !== undefined && info.capabilities?.image?.[kind] !== undefined) continue;
    const message =
      kind === undefined
        ? 'an image is an https:// URL or a data: URI in base64'
        : `${info.name} does not accept ${kind} images`;
    throw new RequestError(400, 'unsupported_image', message);
  }
}

function imageKind(url: string): 'http' | 'data' | undefined {
  if (/^data:image\/[\w.+-]+;base64,[A-Za-z0-9+/]*={0,2}$/.test(url)) return 'data';
  return /^https:\/\/[^/]/.test(url) && URL.canParse(url) ? 'http' : undefined;
}

function expectUnique(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new RequestError(400, 'duplicate_tool', `tools: there is more than one ${JSON.stringify(twice)}`);
}
