/** The shortcuts that work on every page. */
export const shortcuts = {
  actions: {
    'new-session': 'New session',
    search: 'Search all sessions',
    inbox: 'Go to inbox',
    agents: 'Go to agents',
    settings: 'Go to settings',
    changes: 'Show or hide changes',
    'next-session': 'Next session',
    'previous-session': 'Previous session',
    help: 'Keyboard shortcuts',
    palette: 'Show all commands',
  },
  help: 'Shortcuts work while you are not typing.',
};
