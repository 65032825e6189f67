/** The list of all that can be done, by its name. */
export const palette = {
  title: 'Commands',
  placeholder: 'A session, a setting, a command, a page…',
  nothing: 'Nothing is called that.',
  found: (count: number): string => (count === 1 ? '1 entry' : `${count} entries`),
  groups: {
    session: 'This session',
    commands: 'Commands of its agent',
    sessions: 'Sessions',
    begin: 'Begin',
    go: 'Go to',
    look: 'Appearance',
    search: 'Search',
  },
  beginWith: (agent: string): string => `New session with ${agent}`,
  set: (name: string, value: string): string => `${name}: ${value}`,
};
