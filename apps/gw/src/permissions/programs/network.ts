import { type Given, has, type Item, literalOf, type Program, type UseBuilder, valuesOf } from './program.ts';

/** `curl *` fetches pages; what sends or writes files, and any other kind of address, is named in a rule. */
function addresses(items: readonly Item[], use: UseBuilder): void {
  for (const item of items) {
    const text = literalOf(item);
    const scheme = /^([a-z][\w+.-]*):/i.exec(text ?? '')?.[1]?.toLowerCase();
    if (text === null || (scheme !== undefined && !/^(?:https?|localhost|[\w.-]+\.\w+)$/.test(scheme)))
      use.beyond(item.at);
    const file = /^file:\/\/[^/]*(\/.*)$/i.exec(text ?? '')?.[1];
    if (file !== undefined) use.path('reads', { word: { text: file, dynamic: false, splits: false }, at: item.at });
  }
}

export const NETWORK: readonly Program[] = [
  {
    names: 'curl',
    options: `-s,--silent -S,--show-error -f,--fail --fail-with-body -L,--location -I,--head -i,--include,--show-headers -v,--verbose -g,--globoff -k,--insecure
      --compressed -m,--max-time: --connect-timeout: --retry: --retry-delay: --retry-max-time: --retry-all-errors --retry-connrefused -A,--user-agent:
      -H,--header: -e,--referer: -r,--range: -0,--http1.0 --http1.1 --http2 --http3 -4,--ipv4 -6,--ipv6 --max-redirs: -N,--no-buffer -#,--progress-bar
      --no-progress-meter -w,--write-out: -G,--get -q,--disable --max-filesize: --limit-rate: -V,--version --tlsv1.2 --tlsv1.3 --location-trusted!
      -X,--request!: -d,--data,--data-ascii!: --data-raw!: --data-binary!: --data-urlencode!: --json!: -F,--form!: --form-string!: -T,--upload-file!<
      -o,--output!> --output-dir!> -O,--remote-name! --remote-name-all! -J,--remote-header-name! --create-dirs! -c,--cookie-jar!> -b,--cookie!: -D,--dump-header!>
      -K,--config!< -x,--proxy!: -u,--user!: -E,--cert!< --key!< --cacert!< -n,--netrc! --netrc-file!< --trace!> --trace-ascii!> --stderr!>
      --resolve!: --connect-to!: --unix-socket!< --url: --next -Z,--parallel -Q,--quote!: --etag-save!> --etag-compare!< --hsts!> --alt-svc!> --libcurl!>`,
    acts: true,
    judge(given, use) {
      addresses([...given.operands, ...valuesOf(given, '--url')], use);
      // `@file`: the contents of a file.
      for (const { option, value } of given.options) {
        const text = value === null ? '' : (literalOf(value) ?? '@');
        const from = option.name === '-F' ? /=[@<](.*)$/s.exec(text)?.[1] : /^(?:[\w-]*=?)?@(.*)$/s.exec(text)?.[1];
        if (value === null || from === undefined) continue;
        use.beyond(value.at);
        if (from !== '-')
          use.path('reads', { word: { text: from, dynamic: value.word.dynamic, splits: false }, at: value.at });
      }
    },
  },
  {
    names: 'wget',
    options: `-q,--quiet -nv,--no-verbose -v,--verbose -S,--server-response --spider -T,--timeout: -t,--tries: -c,--continue -N,--timestamping -4 -6 -U,--user-agent:
      --header: --max-redirect: --no-check-certificate -nc,--no-clobber -O,--output-document!> -P,--directory-prefix!> -o,--output-file!> -a,--append-output!>
      -i,--input-file!< -e,--execute!: --post-file!< --body-file!< --post-data!: --body-data!: --method!: --config!< --use-askpass$ -r,--recursive! -m,--mirror!
      --save-cookies!> --load-cookies!< --delete-after!`,
    acts: true,
    judge: (given, use) => addresses(given.operands, use),
  },
  {
    names: 'ssh',
    options:
      '-4 -6 -q -v -T -t -C -n -p: -l: -i< -o!: -F!< -E!> -J!: -L!: -R!: -D!: -W!: -A! -X! -Y! -f! -N -S!< -O!: -I!<',
    stops: true,
    acts: true,
    judge(given, use) {
      for (const item of valuesOf(given, '-o')) {
        const line = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand|RemoteCommand)[= ]\s*([\s\S]*)$/i.exec(
          literalOf(item) ?? '',
        )?.[1];
        if (line !== undefined) use.lines.push({ text: line, dynamic: false, splits: false });
      }
    },
  },
  {
    names: 'docker podman nerdctl',
    options: '-v,--version -D,--debug -l,--log-level: -H,--host!: --config!~ -c,--context!:',
    acts: true,
    subcommands: {
      'ps images version info top stats port diff inspect history search events': {
        options:
          '-a,--all -q,--quiet -n,--last: -l,--latest -s,--size --no-trunc -f,--filter: --format: --no-stream --digests --type:',
        acts: true,
      },
      logs: { options: '-f,--follow -n,--tail: -t,--timestamps --since: --until: --details', acts: true },
      'run create exec': {
        options: `-i,--interactive -t,--tty -d,--detach --rm --name: -w,--workdir: -p,--publish: -P,--publish-all --pull: --platform: -q,--quiet
          -e,--env!: --env-file!< -v,--volume!: --mount!: --privileged! -u,--user!: --network!: --net!: --entrypoint!: --cap-add!: --device!:
          --security-opt!: --pid!: --ipc!: --userns!: --volumes-from!: --add-host!: -h,--hostname: -m,--memory: --cpus: --restart: --init`,
        stops: true,
        acts: true,
      },
      'start stop restart rm rmi kill pause unpause wait rename tag pull': {
        options: '-f,--force -t,--time: -q,--quiet -s,--signal: -a,--attach -i -v,--volumes! --platform:',
        acts: true,
      },
      build: {
        options:
          '-t,--tag: -q,--quiet --no-cache --pull --target: --progress: --platform: --rm -f,--file!< -o,--output!> --build-arg!: --secret!: --ssh!: --iidfile!> --network!:',
        acts: true,
        judge: (given, use) => given.operands.forEach((item) => use.path('reads', item, true)),
      },
      compose: {
        options: '-f,--file!< -p,--project-name: --project-directory!~ --env-file!< --profile: --progress: --ansi:',
        acts: true,
        subcommands: {
          'ps logs images top config ls version port': {
            options:
              '-a,--all -q,--quiet -f,--follow -n,--tail: -t,--timestamps --format: --services --no-color --since:',
            acts: true,
          },
          'up start stop restart build pull': {
            options:
              '-d,--detach --build --wait -t,--timeout: --no-deps -q,--quiet --force-recreate --no-recreate --remove-orphans --no-cache',
            acts: true,
          },
          'down rm': {
            options: '-t,--timeout: -f,--force -s,--stop --remove-orphans -v,--volumes! --rmi!:',
            acts: true,
            judge: volumes,
          },
        },
      },
      'system volume container image builder network': {
        acts: true,
        judge({ operands }, use) {
          if (operands.some(({ word }) => word.text === 'prune')) use.destroys = 'It removes what it does not name';
          for (const item of operands.slice(0, 1))
            if (!/^(?:ls|list|inspect|df|info)$/.test(literalOf(item) ?? '')) use.beyond(item.at);
        },
      },
    },
  },
  {
    names: 'gh',
    options: '--version --help',
    acts: true,
    subcommands: {
      'pr issue run repo release workflow label project gist': {
        options: '',
        acts: true,
        subcommands: {
          'view list status diff checks watch': {
            options: `-c,--comments --json: -q,--jq: -t,--template: -L,--limit: -s,--state: -A,--author: -a,--assignee: -l,--label: -S,--search: -B,--base: -H,--head:
              --name-only --patch --log --log-failed -v,--verbose --exit-status -w,--workflow: -b,--branch: -u,--user: --attempt: -j,--job: --color: --web! -R,--repo:`,
            acts: true,
          },
          'create edit comment close reopen merge ready review checkout rerun cancel': {
            options: `-t,--title: -b,--body: -l,--label: -a,--assignee: -r,--reviewer: -d,--draft -B,--base: -H,--head: -f,--fill -m,--merge --squash --rebase --auto
              -c,--comment: --approve --add-label: --remove-label: --failed --reason: -F,--body-file!< -R,--repo!: -T,--template!< -w,--web!`,
            acts: true,
          },
        },
      },
      // Another method, fields or a file: named in a rule.
      api: {
        options:
          '-q,--jq: -t,--template: -i,--include --paginate --slurp --silent --verbose --cache: -p,--preview: -X,--method!: -f,--raw-field!: -F,--field!: --input!< -H,--header!: --hostname!:',
        acts: true,
        judge: (given, use) =>
          given.operands.forEach((item) =>
            /^[a-z]+:/i.test(literalOf(item) ?? 'x:') ? use.beyond(item.at) : undefined,
          ),
      },
      search: { options: '-L,--limit: --json: -q,--jq: -t,--template: --state: --repo: --owner:', acts: true },
    },
  },
];

function volumes(given: Parameters<NonNullable<Program['judge']>>[0], use: UseBuilder): void {
  if (has(given, '-v')) use.destroys = 'It removes volumes with everything in them';
}

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
