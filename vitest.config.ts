import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { SkippedTests } from './toolchain/skipped-tests.ts';
import { TestTimes } from './toolchain/test-times.ts';

const POSTGRES = ['packages/database/src/testing/global-setup.ts'];
/** Tests that start programs start the built ones. */
const PROGRAMS = [...POSTGRES, 'toolchain/built-programs.ts'];
const PAGES = 'apps/console/src/web/**/*.test.tsx';
/** Minutes of work that changes rarely: real tools, decompression bombs, the short forms of the long programs in `tests`. */
const LONG = '{apps,packages,tests}/**/*.long.test.ts';
/** They build and install whole artifacts. */
const BUILDING = 'toolchain/{build,client-package,install,release}.test.ts';
/** A replaced module stays replaced for the files that follow in the same process, so these get a process each. */
const REPLACING = globSync(['apps/**/*.test.ts', 'packages/**/*.test.ts', 'site/**/*.test.ts'], {
  exclude: ['**/node_modules'],
}).filter((file) => readFileSync(file, 'utf8').includes('vi.mock('));

function project(name: string, include: string[], test: object = {}): TestProjectInlineConfiguration {
  const exclude = [
    '**/node_modules/**',
    ...(name === 'long' ? [] : [LONG]),
    ...(name === 'system' ? [] : [BUILDING]),
    ...REPLACING.filter((file) => !include.includes(file)),
  ];
  return { extends: true, test: { name, include, exclude, isolate: false, ...test } };
}

export default defineConfig({
  test: {
    // Bounds for what hangs, not measures. A file that needs more says why.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 25_000 } },
    // One more than the cores, because many tests wait for PostgreSQL, a socket or another program.
    maxWorkers: Math.min(4, availableParallelism() + 1),
    setupFiles: ['toolchain/test-setup.ts'],
    reporters: ['default', new SkippedTests(), new TestTimes()],
    projects: [
      project('pure', [
        'packages/{access,configuration,contract,documentation,json,ledger,secrets}/src/**/*.test.ts',
        'apps/gw/src/**/*.test.ts',
        'site/**/*.test.ts',
        'toolchain/**/*.test.ts',
      ]),
      project(
        'database',
        [
          'packages/{database,domain}/src/**/*.test.ts',
          'apps/{console,gatewayctl,quickstart}/src/**/*.test.ts',
          'bench/src/**/*.test.ts',
        ],
        { globalSetup: PROGRAMS },
      ),
      project('gateway', ['apps/gateway/src/**/*.test.ts'], { globalSetup: PROGRAMS }),
      project('replacing', REPLACING, { isolate: true, globalSetup: POSTGRES }),
      {
        ...project('pages', [PAGES], {
          environment: 'happy-dom',
          // Without animations, as for a person who asked their system for that: what opens or closes does so at once.
          environmentOptions: {
            happyDOM: { width: 1280, height: 800, settings: { device: { prefersReducedMotion: 'reduce' } } },
          },
          setupFiles: ['toolchain/test-setup.ts', 'apps/console/src/web/testing/setup.ts'],
        }),
        // The pages of the hosted build: it has all tabs.
        resolve: { conditions: ['serverless', 'module', 'browser', 'import', 'default'] },
      },
      // Whole programs: a file owns its processes, ports and browsers, which take minutes.
      project('system', ['tests/**/*.test.ts', BUILDING], {
        globalSetup: PROGRAMS,
        testTimeout: 300_000,
        hookTimeout: 300_000,
      }),
      project('long', [LONG], { isolate: true, globalSetup: PROGRAMS, testTimeout: 1_800_000, hookTimeout: 600_000 }),
    ],
  },
});
