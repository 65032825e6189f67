/** What a replica asks of the owner of a session in the course of a request of its client. */
export const ownerMethods = {
  begin: 'begin',
  open: 'open',
  fork: 'fork',
  prompt: 'prompt',
  close: 'close',
  continue: 'continue',
  handOver: 'hand-over',
  application: 'application',
} as const;
