/** The command palette. */
export const palette = {
  title: 'Commands',
  placeholder: 'Type a command, session, setting or page…',
  nothing: 'No matches',
  found: (count: number): string => (count === 1 ? '1 result' : `${count} results`),
  groups: {
    session: 'This session',
    commands: 'Agent commands',
    sessions: 'Sessions',
    begin: 'Start',
    go: 'Go to',
    look: 'Appearance',
    search: 'Search',
  },
  beginWith: (agent: string): string => `New session with ${agent}`,
  set: (name: string, value: string): string => `${name}: ${value}`,
};
