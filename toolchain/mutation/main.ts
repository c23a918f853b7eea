import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installCached, PackagesAbsent } from '../cached-packages.ts';

const HELP = `Usage: npm run mutation -- FOLDER [--mutate GLOB]…

Changes the code of a folder in one place at a time and runs the folder's tests: a change that no test notices is printed.
Stryker is installed on first use into .cache. The report is .cache/mutation-reports/FOLDER.html.

Options:
  --mutate GLOB   only these files of the folder; can be repeated
  --help          prints this text

Example: npm run mutation -- packages/ledger --mutate src/verify.ts`;

const VERSION = '10.1.1';
const PACKAGES = { '@stryker-mutator/core': VERSION, '@stryker-mutator/vitest-runner': VERSION };
/** What no test of a package or an app reads. The copy that is changed stays small. */
const NOT_COPIED = ['dist', 'bench', 'site', 'tests', 'deploy', 'examples', 'docs/screenshots'];

function fail(message: string): never {
  process.stderr.write(`${message}\nRun npm run mutation -- --help.\n`);
  process.exit(2);
}

function readArguments(): { folder: string; mutate: readonly string[] } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { mutate: { type: 'string', multiple: true }, help: { type: 'boolean' } },
    });
    if (values.help === true) {
      process.stdout.write(`${HELP}\n`);
      process.exit(0);
    }
    const [folder = '', ...more] = positionals;
    if (folder === '' || more.length > 0) return fail('Name one folder.');
    if (!existsSync(folder)) return fail(`There is no folder ${folder}.`);
    return { folder: folder.replace(/\/+$/, ''), mutate: values.mutate ?? ['**/*.ts'] };
  } catch (error) {
    return fail((error as Error).message);
  }
}

function optionsOf(folder: string, mutate: readonly string[]): object {
  const report = `.cache/mutation-reports/${folder.replaceAll('/', '-')}`;
  return {
    testRunner: 'vitest',
    vitest: { configFile: 'toolchain/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency: 1,
    mutate: [...mutate.map((glob) => join(folder, glob)), '!**/*.test.ts', '!**/testing/**'],
    ignorePatterns: NOT_COPIED,
    tempDirName: '.cache/mutation-copies',
    // Stryker's rewriting of tsconfig.json needs an older TypeScript. Nothing here compiles.
    tsconfigFile: 'absent.json',
    reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    htmlReporter: { fileName: `${report}.html` },
    jsonReporter: { fileName: `${report}.json` },
    allowConsoleColors: false,
  };
}

const { folder, mutate } = readArguments();
try {
  // Vitest is the repository's own: npm must not install another one beside Stryker.
  const cache = await installCached('mutation', PACKAGES, ['--legacy-peer-deps']);
  const configuration = join(cache, 'stryker.json');
  writeFileSync(configuration, JSON.stringify(optionsOf(folder, mutate)));
  const program = join(cache, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
  const child = spawn(process.execPath, [program, 'run', configuration], {
    stdio: 'inherit',
    env: { ...process.env, MUTATION_FOLDER: join(folder) },
  });
  const [code] = (await once(child, 'close')) as [number | null];
  process.exitCode = code ?? 1;
} catch (error) {
  if (!(error instanceof PackagesAbsent)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
