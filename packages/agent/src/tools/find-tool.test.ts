import { expect, test } from 'vitest';
import { findTool } from './find-tool.ts';
import { thinkTool } from './think.ts';

const tools = ['read', 'Run', 'run', 'mcp__git-hub__get_issue', 'mcp__a__x-y', 'mcp__a__x_y'].map((name) => ({
  ...thinkTool,
  name,
}));

test.each([
  ['read', 'read'],
  ['Run', 'Run'],
  ['run', 'run'],
  ['READ', 'read'],
  [' read ', 'read'],
  ['functions.read', 'read'],
  ['default_api:Read', 'read'],
  ['tools/read', 'read'],
  ['mcp__git_hub__get_issue', 'mcp__git-hub__get_issue'],
  ['MCP__a__x_y'.toLowerCase(), 'mcp__a__x_y'],
])('%j is %s', (name, found) => {
  expect(findTool(tools, name).name).toBe(found);
});

test.each(['', 'functions.', 'reader', 'RUN', 'MCP__A__X_Y', 'functions.write'])(
  '%j could be none, or several',
  (name) => {
    expect(() => findTool(tools, name)).toThrow(
      expect.objectContaining({ code: 'unknown-tool', message: expect.stringContaining('read, Run, run') }),
    );
  },
);
