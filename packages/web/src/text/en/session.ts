/** What is said of one session as a whole. */
export const session = {
  menu: 'More for this session',
  inspector: 'Inspector',
  rename: 'Rename',
};
