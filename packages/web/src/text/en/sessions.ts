/** The list of sessions, and where a new one begins. */
export const sessions = {
  title: 'Sessions',
};
