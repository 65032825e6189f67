/** What happens in a session. */
export const conversation = {
  title: 'Conversation',
};
