import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const folder = process.env.MUTATION_FOLDER ?? '';
/** Only the gateway's tests use the database. The server itself is not mutated. */
const globalSetup = folder.startsWith('apps/gateway') ? ['packages/database/src/testing/global-setup.ts'] : [];

/** The tests of one folder, as mutation testing runs them: once for each mutant that they reach. */
export default defineConfig({
  test: {
    include: [join(folder, '**/*.test.ts')],
    exclude: ['**/node_modules/**', '**/*.long.test.ts'],
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    setupFiles: ['toolchain/test-setup.ts'],
    globalSetup,
  },
});
