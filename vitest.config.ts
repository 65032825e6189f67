import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Packages are read from their sources: nothing is built between an edit and its test. */
const conditions = ['@parley/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['scripts/test-setup.ts'],
    // Most of what tests wait for are other processes.
    maxWorkers: Math.max(4, availableParallelism()),
    // No test depends on a machine being fast: these limits only end what would never end.
    testTimeout: 300_000,
    // What is polled for comes from elsewhere, and takes as long as the machine is busy.
    expect: { poll: { timeout: 120_000 } },
    hookTimeout: 300_000,
  },
});
