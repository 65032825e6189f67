/** What went over the wire. */
export const inspector = {
  title: 'Inspector',
};
