/** The list of the keys that work everywhere. */
export const shortcuts = {
  actions: {
    'new-session': 'Start a new session',
    search: 'Search all sessions',
    inbox: 'Go to the inbox',
    agents: 'Go to the agents',
    settings: 'Go to the settings',
    changes: 'Show or hide the changes of this session',
    'next-session': 'Next session in the list',
    'previous-session': 'Previous session in the list',
    help: 'Show this list',
    palette: 'Find a command, also while you type',
  },
  help: 'They work while you are not typing in a field.',
};
