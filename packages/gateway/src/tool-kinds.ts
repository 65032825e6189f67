import type { ToolSpec } from '@parley/aap';

/**
 * The tools of an ACP agent that an application can enable and trust. ACP has no list of tools, only the kind of each
 * call.
 */
export const toolKinds: readonly ToolSpec[] = [
  kind('read', 'Read', 'Reads files or other data.'),
  kind('edit', 'Edit', 'Changes files or their contents.'),
  kind('delete', 'Delete', 'Removes files or data.'),
  kind('move', 'Move', 'Moves or renames files.'),
  kind('search', 'Search', 'Searches for information.'),
  kind('execute', 'Execute', 'Runs commands or code.'),
  kind('think', 'Think', 'Reasons or plans.'),
  kind('fetch', 'Fetch', 'Gets data from elsewhere.'),
  kind('switch_mode', 'Switch mode', 'Changes the mode of the session, such as leaving a plan.'),
  kind('other', 'Other', 'All other tools.'),
];

function kind(name: string, title: string, description: string): ToolSpec {
  return { name, title, description, parameters: { type: 'object' } };
}
