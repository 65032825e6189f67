/** Questions that wait for a person. */
export const decide = {
  title: 'Inbox',
};
