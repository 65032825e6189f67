/** The programs in the bundle of the tests; both are loaded only when they are called. */
export const programs = {
  parley: async (): Promise<void> => void (await import('../src/main.ts')),
  'command-runner': async (): Promise<void> => void (await import('./command-runner.ts')),
} as const;
