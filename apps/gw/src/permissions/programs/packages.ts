import type { Given } from './options.ts';
import type { Program, UseBuilder } from './program.ts';
import { literalOf } from './word.ts';

const SCRIPTS = `-s,--silent --quiet --if-present -w,--workspace: --workspaces --ws --include-workspace-root --ignore-scripts --foreground-scripts
  --color? --no-color --loglevel: -r,--recursive --stream --parallel --no-bail --bail --filter,-F: --if-exists`;
const INSTALLS = `-D,--save-dev -E,--save-exact -O,--save-optional -P,--save-prod --no-save --ignore-scripts --no-audit --no-fund --legacy-peer-deps
  --prefer-offline --offline --omit: --include: -s,--silent -w,--workspace: --workspaces --no-optional --frozen-lockfile --immutable
  --package-lock-only --no-progress --loglevel: --audit? --fund? --strict-peer-deps -d,--dev --exact --production`;

/** Operands that lead out of the project ask. */
const named = (given: Given, use: UseBuilder): void => {
  for (const item of given.operands) {
    use.path('lists', item);
    // Of elsewhere: an address, a file, a repository.
    if (/^(?:\w+:|git@|\.{0,2}\/)/.test(literalOf(item) ?? '')) use.beyond(item.at);
  }
};
const runs: Program = { options: SCRIPTS, acts: true };
const installs: Program = { options: INSTALLS, acts: true, judge: named };
const MANAGER: Readonly<Record<string, Program>> = {
  'run run-script rum urn': runs,
  'test t tst': runs,
  'start stop restart build dev lint': runs,
  'install i add ci clean-install it uninstall remove rm un unlink dedupe prune rebuild up upgrade': installs,
};
const version = '-v,--version -h,--help -s,--silent --color? --no-color';

/** Programs that build, test and install: what they do is what the project says. */
export const PACKAGES: readonly Program[] = [
  {
    names: 'npm',
    options: `${version} --workspaces -w,--workspace:`,
    subcommands: {
      ...MANAGER,
      'ls list ll la': {
        options: '-a,--all --depth: --json --long -l -p,--parseable --omit: --include: --package-lock-only --link',
      },
      'root prefix bin': {},
      'outdated view info show v audit search ping why explain fund': {
        options: '--json --depth: -l --long --omit:',
        acts: true,
        judge: beyondFix,
      },
    },
  },
  // A project's settings name the program that these run instead of themselves.
  {
    names: 'pnpm',
    options: `${version} -r,--recursive --filter,-F:`,
    acts: true,
    subcommands: { ...MANAGER, 'ls list why outdated': { options: '--json --depth:', acts: true } },
  },
  {
    names: 'yarn',
    options: version,
    acts: true,
    subcommands: { ...MANAGER, 'list why info': { options: '--json --depth:', acts: true } },
  },
  { names: 'bun', options: version, acts: true, subcommands: MANAGER },
  {
    names: 'make gmake',
    options: `-B,--always-make -i,--ignore-errors -j,--jobs? -k,--keep-going -l,--load-average? -n,--just-print,--dry-run -O,--output-sync? -q,--question
      -r,--no-builtin-rules -R,--no-builtin-variables -s,--silent,--quiet -S,--no-keep-going -t,--touch --trace -v,--version -w,--print-directory
      --no-print-directory -o,--old-file: -W,--what-if: --warn-undefined-variables -f,--file,--makefile!< -C,--directory!~ -I,--include-dir!~ --eval$
      -E! -e,--environment-overrides!`,
    acts: true,
    judge({ operands }, use) {
      for (const item of operands) {
        const text = literalOf(item);
        const [, value] = /^[^\s=]+?[:+?!]*=([\s\S]*)$/.exec(text ?? '') ?? [];
        if (text !== null && value === undefined) continue;
        // Any variable may be part of a command, `SHELL` above all.
        use.beyond(item.at);
        if (value !== undefined && /^SHELL\b|\$/.test(text ?? ''))
          use.lines.push({ text: value, dynamic: false, splits: false });
      }
    },
  },
  {
    names: 'cargo',
    options: '-q,--quiet -v,--verbose -V,--version --locked --offline --frozen --color: --list',
    acts: true,
    subcommands: {
      'build b check c test t run r bench doc d clippy fmt tree metadata fix nextest': {
        options: `-r,--release -q,--quiet -v,--verbose -p,--package: --workspace --all --all-targets --lib --bins --bin: --tests --test: --examples
          --example: --benches --bench: -F,--features: --all-features --no-default-features --locked --frozen --offline --target: --profile: -j,--jobs:
          --no-fail-fast --message-format: --color: --no-run --doc --no-deps --exclude: --keep-going --check --document-private-items -e: -i: --depth:
          --format-version:`,
        acts: true,
      },
    },
  },
  {
    names: 'go',
    single: true,
    acts: true,
    options: '',
    subcommands: {
      'build test vet run install list get fmt generate doc': {
        options: `-v -race -run: -count: -short -cover -timeout: -bench: -benchmem -benchtime: -failfast -json -parallel: -p: -tags: -x -n -trimpath
          -list: -cpu: -shuffle: -skip: -vet: -a -m -u -t -e -f: -deps -test -compiled -find -export -buildvcs? -all -short -src -cmd -o!> -c!
          -toolexec$ -exec$ -overlay!< -modfile!< -coverprofile!> -cpuprofile!> -memprofile!> -C!~ -ldflags!: -gcflags!: -asmflags!: -vettool!<
          -outputdir!> -blockprofile!> -mutexprofile!> -trace!>`,
        single: true,
        acts: true,
        judge: (given, use) => given.operands.forEach((item) => use.path('lists', item)),
      },
      'mod work': {
        single: true,
        acts: true,
        options: '-v -json -e -m -x -go: -compat:',
        judge: ({ operands }, use) =>
          operands
            .slice(0, 1)
            .forEach((item) =>
              /^(?:tidy|download|verify|graph|why)$/.test(literalOf(item) ?? '') ? undefined : use.beyond(item.at),
            ),
      },
      version: { single: true, options: '-m -v', operands: 'lists' },
      env: { single: true, options: '-json -changed' },
    },
  },
  {
    names: 'pip pip3 uv',
    options: '-V,--version -q,--quiet -v,--verbose',
    acts: true,
    subcommands: {
      'list freeze show check': { options: '--format: -o,--outdated -f --files -l,--local --user', acts: true },
      install: {
        options: '-q,--quiet -U,--upgrade --no-cache-dir --no-deps --user --pre -e!~ -r,--requirement!<',
        acts: true,
        judge: named,
      },
    },
  },
];

function beyondFix(given: Given, use: UseBuilder): void {
  for (const item of given.operands) if (literalOf(item) === 'fix' || literalOf(item) === null) use.beyond(item.at);
}
