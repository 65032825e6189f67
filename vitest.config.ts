import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const files = ['packages/*/{src,test}/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'];

/** Tests that count what their whole process holds: memory, handles, listeners, open files. */
const aboutTheProcess = [
  'packages/host/test/leaks.test.ts',
  'packages/workspace/src/output/output-buffer.test.ts',
  'packages/workspace/src/process/run-command.test.ts',
  'packages/workspace/src/process/watchdog.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      // A worker keeps the modules it has loaded for its next file. Loading them anew took a sixth of the time.
      project('tests', {
        include: files,
        exclude: [...configDefaults.exclude, ...aboutTheProcess],
        isolate: false,
      }),
      project('process', { include: aboutTheProcess, isolate: true }),
    ],
    globalSetup: ['scripts/test-setup.ts'],
    // Most of what tests wait for are other processes; each further worker loads all modules again.
    maxWorkers: Math.max(4, availableParallelism()),
  },
});

function project(
  name: string,
  choice: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  // Packages are read from their sources: nothing is built between an edit and its test.
  const resolve = { conditions: ['@parley/source'] };
  return {
    resolve,
    ssr: { resolve },
    test: {
      name,
      setupFiles: ['scripts/property-seed.ts'],
      // What a test stubs is restored before the next one.
      unstubEnvs: true,
      unstubGlobals: true,
      // No test depends on a machine being fast: these limits only end what would never end.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      // What is polled for comes from elsewhere, and takes as long as the machine is busy.
      expect: { poll: { timeout: 120_000 } },
      ...choice,
    },
  };
}
