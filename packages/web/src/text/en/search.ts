const roles: Readonly<Record<string, string>> = {
  user: 'prompt',
  agent: 'response',
  thought: 'thought',
  tool: 'tool call',
};

/** The search over all sessions. */
export const search = {
  label: 'Search all sessions',
  help: 'Searches prompts and responses of all agents, including old sessions.',
  searching: 'Searching…',
  places: (count: number): string => {
    if (count === 0) return 'No results';
    return count === 1 ? '1 result' : `${count} results`;
  },
  firstPlaces: (count: number): string => `First ${count} results. Add words to narrow the search.`,
  roles,
};
