const roles: Readonly<Record<string, string>> = {
  user: 'prompt',
  agent: 'answer',
  thought: 'thought',
  tool: 'tool call',
};

/** The search over all sessions. */
export const search = {
  label: 'Search all sessions',
  help: 'Searches prompts and answers of all agents, including old sessions.',
  searching: 'Searching…',
  places: (count: number): string => {
    if (count === 0) return 'Nothing found.';
    return count === 1 ? '1 place found.' : `${count} places found.`;
  },
  firstPlaces: (count: number): string => `The first ${count} places; more words find fewer.`,
  roles,
};
