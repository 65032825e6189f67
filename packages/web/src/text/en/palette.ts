/** The list of all commands. */
export const palette = {
  title: 'Commands',
  placeholder: 'A session, a setting, a command, a page…',
  nothing: 'No matching commands.',
  found: (count: number): string => (count === 1 ? '1 entry' : `${count} entries`),
  groups: {
    session: 'This session',
    commands: 'Commands of its agent',
    sessions: 'Sessions',
    begin: 'Start',
    go: 'Go to',
    look: 'Appearance',
    search: 'Search',
  },
  beginWith: (agent: string): string => `New session with ${agent}`,
  set: (name: string, value: string): string => `${name}: ${value}`,
};
