import type { Program } from './program.ts';

/** A program that starts its operands. */
export interface Wrapper extends Program {
  /** Operands before the command. */
  readonly before: number;
  /** A rule for what it starts is enough. */
  readonly transparent?: true;
}

const wrapper = (names: string, options: string, before = 0, transparent?: true): Wrapper => ({
  names,
  options,
  before,
  stops: true,
  // What it starts is judged by itself.
  ...(transparent === true ? { transparent } : { acts: true as const }),
});

/** Programs that only start what their words name. `env`, `xargs` and shells have rules of their own in `bash/wrappers.ts`. */
export const WRAPPERS: readonly Wrapper[] = [
  wrapper('command', '-p -v -V', 0, true),
  wrapper('builtin', '', 0, true),
  wrapper('nice', '-n,--adjustment: -#', 0, true),
  wrapper('nohup', '', 0, true),
  wrapper('stdbuf', '-i,--input: -o,--output: -e,--error:', 0, true),
  wrapper('time', '-p -l -h -v,--verbose -q,--quiet -a,--append! -f,--format: -o,--output!> --portability', 0, true),
  wrapper('timeout gtimeout', '-k,--kill-after: -s,--signal: -v,--verbose --preserve-status --foreground', 1, true),
  wrapper('busybox toybox', ''),
  wrapper('caffeinate', '-d -i -m -s -u -t: -w:'),
  wrapper('chroot', '--userspec: --groups: --skip-chdir', 1),
  wrapper('chrt', '-T: -P: -D: -a -b -f -i -o -r -d -R', 1),
  wrapper('coproc', ''),
  wrapper('doas', '-u: -C: -n -s -L'),
  wrapper('exec', '-a: -c -l'),
  wrapper(
    'flock',
    '-w,--timeout: -E,--conflict-exit-code: -s,--shared -x,-e,--exclusive -n,--nonblock,--nb -o,--close -F,--no-fork --verbose',
    1,
  ),
  wrapper('ionice', '-c,--class: -n,--classdata: -p: -t,--ignore'),
  wrapper('setsid', '-c,--ctty -f,--fork -w,--wait'),
  wrapper('strace ltrace', '-a: -e: -o!> -O: -p: -P: -s: -S: -u: -X: -f -ff -c -C -q -r -t -T -v -y -i -k'),
  wrapper(
    'sudo',
    `-u,--user: -g,--group: -p,--prompt: -C,--close-from: -D,--chdir: -h,--host: -R,--chroot: -r,--role: -t,--type: -T,--command-timeout:
     -A,--askpass -b,--background -E,--preserve-env? -H,--set-home -i,--login -k -K -n,--non-interactive -P -S,--stdin -s,--shell -v`,
  ),
  wrapper('taskset', '-a -c -p', 1),
  wrapper(
    'unshare',
    '-m -u -i -n -p -U -C -T -f,--fork -r,--map-root-user -c,--map-current-user --kill-child? --mount-proc? -R,--root: -w,--wd: -S: -G: --propagation:',
  ),
  wrapper('watch', '-n,--interval: -d,--differences? -t,--no-title -b -e,--errexit,--exit -g -c,--color -x,--exec -p'),
  wrapper('npx bunx', '-y,--yes -p,--package: -q,--quiet --no-install --no --ignore-existing'),
];

export const ENVIRONMENT: Program = {
  names: 'env',
  options:
    '-u,--unset: -C,--chdir: -i,--ignore-environment -0,--null -v,--debug -S,--split-string! --block-signal? --default-signal? --ignore-signal?',
  stops: true,
  acts: true,
};

export const ARGUMENTS: Program = {
  names: 'xargs gxargs',
  options: `-a,--arg-file< -d,--delimiter: -E: -I: -L,--max-lines: -n,--max-args: -P,--max-procs: -s,--max-chars: -0,--null -r,--no-run-if-empty
    -t,--verbose -x,--exit -p,--interactive -o,--open-tty -e,--eof? -i,--replace? -l? --process-slot-var: --show-limits -J: -R: -S:`,
  stops: true,
  acts: true,
};
