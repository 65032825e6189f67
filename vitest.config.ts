import { defineConfig } from 'vitest/config';

/** Packages are read from their sources: nothing is built between an edit and its test. */
const conditions = ['@parley/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['scripts/test-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
