import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SkippedTests } from './toolchain/skipped-tests.ts';

export default defineConfig({
  test: {
    // Bounds for what hangs, not measures: a loaded machine may take long over what is quick elsewhere.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
    // What is waited for comes when it comes; a machine under load must not make it a failure.
    expect: { poll: { timeout: 300_000 } },
    // The default leaves one core free, which on two cores is one worker. Most tests wait for PostgreSQL or a socket.
    maxWorkers: Math.max(2, Math.min(4, availableParallelism())),
    setupFiles: ['toolchain/test-seed.ts'],
    reporters: ['default', new SkippedTests()],
    projects: [
      {
        extends: true,
        test: {
          name: 'programs',
          include: [
            'packages/**/src/**/*.test.ts',
            'apps/**/src/**/*.test.ts',
            'bench/src/**/*.test.ts',
            'site/build/**/*.test.ts',
            'site/.vitepress/theme/**/*.test.ts',
            'tests/**/*.test.ts',
            'toolchain/**/*.test.ts',
          ],
          globalSetup: ['packages/database/src/testing/global-setup.ts'],
        },
      },
      {
        extends: true,
        // The pages of the hosted build: it has all tabs.
        resolve: { conditions: ['serverless', 'module', 'browser', 'import', 'default'] },
        test: {
          name: 'pages',
          include: ['apps/console/src/web/**/*.test.tsx'],
          environment: 'happy-dom',
          // Without animations, as for a person who asked their system for that: what opens or closes does so at once.
          environmentOptions: {
            happyDOM: { width: 1280, height: 800, settings: { device: { prefersReducedMotion: 'reduce' } } },
          },
          setupFiles: ['apps/console/src/web/testing/setup.ts'],
        },
      },
    ],
  },
});
