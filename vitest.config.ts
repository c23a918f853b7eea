import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'packages/**/src/**/*.test.ts',
      'apps/**/src/**/*.test.ts',
      'bench/src/**/*.test.ts',
      'site/build/**/*.test.ts',
      'site/.vitepress/theme/**/*.test.ts',
      'tests/**/*.test.ts',
      'toolchain/**/*.test.ts',
    ],
    setupFiles: ['toolchain/test-seed.ts'],
    globalSetup: ['packages/database/src/testing/global-setup.ts'],
    // Bounds for what hangs, not measures: a loaded machine may take long over what is quick elsewhere.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
    // What is waited for comes when it comes; a machine under load must not make it a failure.
    expect: { poll: { timeout: 300_000 } },
    // The default leaves one core free, which on two cores is one worker. Most tests wait for PostgreSQL or a socket.
    maxWorkers: Math.max(2, Math.min(4, availableParallelism())),
  },
});
