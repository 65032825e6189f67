import type { ToolSpec } from '@parley/aap';
import type { ToolCallUpdate } from '@parley/acp';
import { describe, expect, test } from 'vitest';
import { isSameCall, findTool } from './find-tool.ts';

const weather: ToolSpec = { name: 'get_weather', title: 'The weather', description: '', parameters: true };
const get: ToolSpec = { name: 'get', description: '', parameters: true };
const tools = [get, weather];

function announced(update: Partial<ToolCallUpdate>): ToolCallUpdate {
  return { toolCallId: 'call_1', ...update };
}

describe('a tool of the application is found under all names that agents use', () => {
  test.each<[string, Partial<ToolCallUpdate>]>([
    ['by its name in the program', { name: 'mcp__parley-app__get_weather', title: 'Weather' }],
    ['in a title', { title: 'mcp__parley-app__get_weather', kind: 'other' }],
    ['with its title', { title: 'parley-app: The weather', kind: 'other' }],
    ['as a path', { title: 'Tool: parley-app/get_weather' }],
    ['with the server behind', { title: 'get_weather (parley-app MCP Server)', kind: 'other' }],
    ['in other letters', { title: 'mcp_parley_app_get_weather' }],
    [
      'in the notes of an adapter',
      { title: 'x', _meta: { adapter: { toolName: 'mcp__parley-app__get_weather' } } },
    ],
    [
      'in the input',
      { title: 'x', rawInput: { server: 'parley-app', tool: 'get_weather', arguments: { city: 'Oslo' } } },
    ],
  ])('%s', (_way, update) => {
    expect(findTool(announced(update), tools)).toBe(weather);
  });
});

test('a truncated name is recognized by its prefix', () => {
  const long: ToolSpec = { ...weather, name: 'a_very_long_name_that_goes_on_and_on_and_does_not_end_soon' };
  const name = `mcp__parley-app__${long.name}`.slice(0, 64);

  expect(findTool(announced({ name }), [...tools, long])).toBe(long);
});

describe('other tools are not tools of the application', () => {
  test.each<[string, Partial<ToolCallUpdate>]>([
    ['a command that names one', { title: 'parley-app get_weather', kind: 'execute' }],
    ['a title that has more in it', { title: 'rm -rf / # mcp__parley-app__get_weather', kind: 'other' }],
    ['a tool of another server', { title: 'mcp__weather__get_weather', kind: 'other' }],
    ['a tool that the application does not have', { title: 'mcp__parley-app__get_time', kind: 'other' }],
    ['a tool of the agent with the same name', { title: 'get_weather', kind: 'other' }],
    ['an input that only speaks of one', { title: 'x', rawInput: { text: 'parley-app/get_weather' } }],
  ])('%s', (_what, update) => {
    expect(findTool(announced(update), tools)).toBeUndefined();
  });
});

describe('a call over MCP', () => {
  const call = { name: 'get_weather', input: { city: 'Oslo', days: 3 } };
  const title = 'mcp__parley-app__get_weather';

  test('is matched by its id, under any name', () => {
    const meta = { 'example/toolUseId': 'call_1' };
    expect(isSameCall(announced({ title: 'anything' }), { ...call, meta })).toBe(true);
  });

  test.each<[string, Partial<ToolCallUpdate>]>([
    ['with the same input', { title, rawInput: { days: 3, city: 'Oslo' } }],
    ['whose input is not known yet', { title, rawInput: {} }],
    ['whose input is never sent', { title: 'get_weather', kind: 'other' }],
    ['with its server', { rawInput: { server: 'parley-app', tool: 'get_weather', arguments: call.input } }],
  ])('is the one %s', (_which, update) => {
    expect(isSameCall(announced(update), call)).toBe(true);
  });

  test.each<[string, Partial<ToolCallUpdate>]>([
    ['with another input', { title, rawInput: { city: 'Bergen' } }],
    ['of another tool', { title: 'mcp__parley-app__get', rawInput: call.input }],
    ['that is known by nothing', { title: 'Looking out of the window' }],
  ])('is not the one %s', (_which, update) => {
    expect(isSameCall(announced(update), call)).toBe(false);
  });
});
