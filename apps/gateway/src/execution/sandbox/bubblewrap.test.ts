import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Launcher } from '../launcher.ts';
import type { CommandLimits } from '../limits.ts';
import { MissingPart } from '../missing-part.ts';
import { gone, processesWith, running, uniqueSleep, until } from '../testing/processes.ts';
import { begin, collect, makeWorkdir, runToEnd, SANDBOX_USER, SMALL, shell } from '../testing/run.ts';
import { bubblewrapLauncher } from './bubblewrap.ts';
import { findHierarchies } from './hierarchies.ts';

/** The tests' own need, not the launcher's: it also runs without root, with less around it. */
const possible = process.getuid?.() === 0 && spawnSync('bwrap', ['--version']).status === 0;

let workdir: Awaited<ReturnType<typeof makeWorkdir>>;
let launcher: Launcher;
const user = SANDBOX_USER;
const settings = () => ({ workdir: workdir.path, limits: SMALL, commands: 16, user, readable: [], path: '' });
const opened: Launcher[] = [];
async function open(...words: Parameters<typeof bubblewrapLauncher>): Promise<Launcher> {
  const one = await bubblewrapLauncher(...words);
  opened.push(one);
  return one;
}

beforeAll(async () => {
  workdir = await makeWorkdir();
  if (possible) launcher = await open(settings());
});
afterAll(async () => {
  for (const one of opened) await one.close();
  await workdir.remove();
});

const sh = (script: string, more: Parameters<typeof shell>[1] = {}, limits: CommandLimits = SMALL) =>
  runToEnd(launcher, workdir.path, shell(script, more), limits);
const perl = (script: string) =>
  runToEnd(launcher, workdir.path, shell('', { interpreter: 'perl', arguments: ['-e', script] }));

describe.runIf(possible)('a command in a sandbox', () => {
  it('runs in its directory, as a user without rights', async () => {
    const { stdout, end } = await sh(
      'pwd; id -un; grep -E "^(CapEff|CapBnd|NoNewPrivs|Seccomp):" /proc/self/status; exit 7',
    );
    expect(stdout.split(/\s+/)).toEqual(
      '/workspace agent CapEff: 0000000000000000 CapBnd: 0000000000000000 NoNewPrivs: 1 Seccomp: 2'
        .split(' ')
        .concat(''),
    );
    expect(end).toMatchObject({ code: 7, signal: null, cause: null, fault: null });
  });
  it('keeps its files from one command to the next', async () => {
    await sh('echo kept > note', { session: 'files' });
    expect((await sh('cat note', { session: 'files' })).stdout).toBe('kept\n');
    expect((await sh('cat note', { session: 'others' })).end.code).toBe(1);
  });
  it('is not started with more or longer variables than can be taken', async () => {
    const many = new Map(Array.from({ length: 3000 }, (_, index) => [`V${index}`, '']));
    for (const variables of [many, new Map([['A', 'x'.repeat(2 ** 17)]])]) {
      await expect(sh('true', { variables })).rejects.toMatchObject({ code: 'E2BIG' });
    }
    const fitting = new Map([['A', 'x'.repeat(2 ** 17 - 3)], ...[...many].slice(0, 2900)]);
    expect((await sh('echo ${#A}; env | grep -c ^V', { variables: fitting })).stdout).toBe('131069\n2900\n');
  });
  it('starts whatever the last one did to the directory', async () => {
    for (const mode of ['000', '7777', '2300']) {
      expect((await sh(`chmod ${mode} /workspace`, { session: 'closed' })).end.code).toBe(0);
      const { stdout, end } = await sh('touch it && stat -c %a .', { session: 'closed' });
      expect([stdout, end.code]).toEqual(['700\n', 0]);
    }
  });
  it('has the variables it was given, none of the gateway, and its own path', async () => {
    process.env['CANARY_OF_THE_TEST'] = 'canary-5150';
    const { stdout } = await sh('env; cat /proc/[0-9]*/environ | tr "\\0" "\\n"', {
      variables: new Map([
        ['GREETING', 'bon jour\n= x'],
        ['PATH', '/usr/bin'],
      ]),
    });
    expect(stdout).toContain('GREETING=bon jour\n= x\n');
    expect(stdout).toContain('PATH=/usr/bin\n');
    expect(stdout).not.toMatch(/canary-5150|gateway-work/i);
  });
  it('takes its interpreter as a program, never as an option of the sandbox', async () => {
    const mark = join(workdir.path, 'injected');
    for (const interpreter of ['--bind', '--dev-bind', '--', '-h', '--version']) {
      const words = ['/', '/', 'touch', mark];
      const { end } = await runToEnd(launcher, workdir.path, shell('', { interpreter, arguments: words }));
      expect(end.code).not.toBe(0);
    }
    expect(existsSync(mark)).toBe(false);
  });
  it('gets no descriptor that the gateway was started with', async () => {
    // Only this test's own process is known to hold one: descriptor 7, opened by the shell that starts it.
    const child = alone('ls /proc/self/fd; cat <&7', 'exec 7</etc/hostname; ');
    const { events } = await readAll(child);
    expect(events).not.toContain(Buffer.from(readFileSync('/etc/hostname')).toString('base64').slice(0, 8));
  });
  it('opens its outputs by name, as scripts do', async () => {
    const { stdout, stderr } = await sh('echo one >/dev/stderr; echo two | tee /dev/stderr; echo three >/dev/stdout');
    expect(stdout).toBe('two\nthree\n');
    expect(stderr).toBe('one\ntwo\n');
  });
  it('passes on 4 MiB of output intact', async () => {
    const { stdout, end } = await sh('head -c 4194304 /dev/zero | tr "\\0" "x"');
    expect(stdout).toBe('x'.repeat(4_194_304));
    expect(end.written).toEqual({ stdout: 4_194_304, stderr: 0 });
  });
  it('is told apart from a program that does not exist', async () => {
    const { end, stderr } = await runToEnd(launcher, workdir.path, shell('', { interpreter: 'no-such-program' }));
    expect(end.code).toBe(1);
    expect(stderr).toContain('no-such-program');
  });
});

describe.runIf(possible)('what a command takes is bounded', () => {
  it('children meet the limit of processes', async () => {
    const { stdout } = await perl(
      'my $n = 0; for (1..200) { my $p = fork; if (!defined $p) { print "$n $!"; last } if ($p == 0) { sleep 60; exit } $n++ }',
    );
    expect(stdout).toMatch(/^\d+ Resource temporarily unavailable$/);
    expect(Number.parseInt(stdout, 10)).toBeGreaterThan(20);
    expect(Number.parseInt(stdout, 10)).toBeLessThan(SMALL.processes);
  });
  it('a fork bomb does too, and ends with its command', async () => {
    const marker = uniqueSleep();
    const words = { interpreter: 'perl', arguments: ['-e', `$0 = "${marker}"; fork while 1`] };
    const run = await begin(launcher, workdir.path, shell('', words));
    await until(() => processesWith(marker).length > 20);
    expect(processesWith(marker).length).toBeLessThanOrEqual(SMALL.processes + 4); // The sandbox's own programs are four.
    run.run.stop('revoked');
    await gone(marker);
    await collect(run);
  });
  it('a hunger for memory is ended, and said', async () => {
    const { end, events } = await sh('head -c 400000000 /dev/zero | tail -c 400000000 | wc -c');
    expect(end.fault).toBe('The command met its limit of memory.');
    expect(events.map(({ evenement }) => evenement)).toContain('erreur');
  });
  it.each(['/tmp', '/dev/shm', '/var/tmp'])('%s has a size', async (directory) => {
    const { stderr } = await sh(`head -c 20000000 /dev/zero > ${directory}/big`);
    expect(stderr).toMatch(/No space left/);
  });
  it('a large file meets the limit of the disk', async () => {
    const { end } = await sh('head -c 40000000 /dev/zero > big; s=$(stat -c %s big); rm big; [ $s -le 16777216 ]');
    expect(end.code).toBe(0);
  });
  it('many files together meet it too', async () => {
    const { end } = await sh('i=0; while :; do head -c 4000000 /dev/zero > f$i; i=$((i+1)); done', { session: 'full' });
    expect(end.cause).toBe('disk');
    rmSync(join(workdir.path, 'full'), { recursive: true });
  });
  it('and so do many empty ones', async () => {
    const { end } = await sh('i=0; while :; do : > f$i; i=$((i+1)); done', { session: 'many' });
    expect(end.cause).toBe('disk');
    rmSync(join(workdir.path, 'many'), { recursive: true });
  });
  it('and so do files that are open and have no name any more', async () => {
    const { end } = await perl(
      'for my $n (1..10) { open(my $f, ">", "f$n") or die; unlink "f$n"; print $f "x" x 4000000; $f->flush; push @open, $f } sleep 60',
    );
    expect(end.cause).toBe('disk');
  });
  it('descriptors are counted', async () => {
    const { stdout } = await perl('my @f; while (open(my $f, "<", "/dev/null")) { push @f, $f } print scalar(@f)');
    expect(Number(stdout)).toBeGreaterThan(900);
    expect(Number(stdout)).toBeLessThan(SMALL.descriptors);
  });
  it('processor time is shared out', async () => {
    // A tenth of a processor, which it gets even where the machine has little to give.
    const limits = { ...SMALL, processors: 0.1 };
    const slow = await open({ ...settings(), limits });
    const marker = uniqueSleep();
    const run = await begin(slow, workdir.path, shell(`: ${marker}; while :; do :; done`), limits);
    await running(marker);
    await until(() => processesWith(marker).some((pid) => throttled(pid) > 0));
    run.run.stop('revoked');
    expect((await collect(run)).end.cause).toBe('revoked');
  });
  it('a flood of output is cut', async () => {
    const { end, stdout } = await sh('yes');
    expect(end.cause).toBe('output');
    expect(stdout.length).toBeLessThanOrEqual(SMALL.output);
  });
  it('a hang meets the limit of duration', async () => {
    const { end, events } = await sh('sleep 1000', {}, { ...SMALL, duration: 200 });
    expect(end.cause).toBe('duration');
    expect(events.at(-1)).toMatchObject({ evenement: 'fin', interrompu: true });
  });
});

describe.runIf(possible)('nothing of a command stays', () => {
  it('a daemon ends with the command that left it', async () => {
    const marker = uniqueSleep();
    await sh(`setsid sh -c 'sleep ${marker} & sleep ${marker}' >/dev/null 2>&1 & sleep 0.1`);
    await gone(marker);
    expect(processesWith(marker)).toEqual([]);
  });
  it('orphans end when the command is killed', async () => {
    const marker = uniqueSleep();
    const run = await begin(launcher, workdir.path, shell(`(setsid sleep ${marker} &); trap '' TERM; sleep ${marker}`));
    await until(() => processesWith(marker).length >= 4);
    run.run.stop('revoked');
    await gone(marker);
    expect((await collect(run)).end).toMatchObject({ cause: 'revoked' });
  });
  it('none is left, at whatever moment of its start a command is stopped', async () => {
    const delays = Array.from({ length: 40 }, (_, index) => index);
    await Promise.all(
      (
        [
          ['interrupted', 20],
          ['revoked', 20],
        ] as const
      ).map(async ([cause, most]) => {
        for (const delay of delays.slice(0, most)) {
          const marker = uniqueSleep();
          const run = await begin(launcher, workdir.path, shell(`sleep ${marker}`));
          await new Promise((resolve) => setTimeout(resolve, delay));
          run.run.stop(cause);
          expect((await collect(run)).end.cause).toBe(cause);
          await gone(marker);
        }
      }),
    );
  });
  it('a first process that obeys SIGTERM ends at once, and tells it', async () => {
    const run = await begin(
      launcher,
      workdir.path,
      shell("trap 'echo bye; exit 3' TERM; echo up; while :; do sleep 0.05; done"),
    );
    await until(() => run.launched.stdout.bytes > 0);
    run.run.stop('interrupted');
    const { end, stdout } = await collect(run);
    expect(end).toMatchObject({ code: 3, cause: 'interrupted' });
    expect(stdout).toBe('up\nbye\n');
  });
  it('all of it ends when the gateway is killed', async () => {
    const marker = uniqueSleep();
    const child = alone(`sleep ${marker} & sleep ${marker}`);
    await running(`sleep\0${marker}`);
    const exit = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await Promise.all([exit, gone(marker)]);
    // The next start removes the groups that were left, or the one after it where a process has not left its group yet.
    const left = async () => {
      await open(settings());
      const groups = findHierarchies().flatMap(({ directory }) => readdirSync(directory));
      return groups.filter((name) => name.includes(`-${child.pid}-`));
    };
    await expect.poll(left).toEqual([]);
  });
});

describe.runIf(possible)('the host is out of reach', () => {
  it('nothing can be written but the session and its temporary files', async () => {
    const places = ['/', '/usr', '/etc', '/etc/ssl', '/var', '/dev', '/proc/sys/kernel', workdir.path, tmpdir()];
    const { stdout } = await sh(
      `for d in ${places.join(' ')}; do echo x > $d/mark-of-the-test && echo $d; done 2>/dev/null; true`,
    );
    expect(stdout).toBe('/tmp\n'); // Its own.
    expect(existsSync(join(tmpdir(), 'mark-of-the-test'))).toBe(false);
  });
  it('no other session, no file of the gateway, no other process is seen', async () => {
    await sh('echo mine > canary-file', { session: 'one' });
    const { stdout } = await sh(
      `find / -path /usr -prune -o -path /proc -prune -o -name canary-file -print 2>/dev/null; ls ${workdir.path} /root /home 2>/dev/null; set -- /proc/[0-9]*; echo $#; kill -0 ${process.pid} && echo signalled`,
      { session: 'two' },
    );
    expect(Number(stdout)).toBeLessThan(6);
  });
  it('a link out of the directory leads nowhere', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'gateway-outside-'));
    writeFileSync(join(outside, 'canary'), 'x');
    chmodSync(outside, 0o777);
    await sh(`ln -s ${outside} out; ln -s / root; ln -s /proc/1/root/.. up`, { session: 'links' });
    const { stdout } = await sh('cat out/canary; echo x > out/mark; ls root/root up/root; echo x > root/etc/mark', {
      session: 'links',
    });
    expect(stdout).toBe('');
    expect(existsSync(join(outside, 'mark'))).toBe(false);
    rmSync(outside, { recursive: true });
  });
  it('a directory swapped for a link while commands start does not move the sandbox', async () => {
    const swap = sh('i=0; while [ $i -lt 300 ]; do mkdir d; rmdir d; ln -s /etc d; rm d; i=$((i+1)); done', {
      session: 'swap',
    });
    const others = await Promise.all(
      Array.from({ length: 4 }, () => sh('cd d 2>/dev/null; cat shadow 2>/dev/null; pwd', { session: 'swap' })),
    );
    for (const { stdout } of others) expect(stdout).toMatch(/^\/(workspace|etc)(\/d)?\n$/);
    await swap;
  });
  it('there is no network but its own loopback', async () => {
    const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { stdout } = await sh(
      `for peer in 127.0.0.1/${port} 169.254.169.254/80 10.0.0.1/80; do (exec 3<>/dev/tcp/$peer) 2>/dev/null && echo reached $peer; done; grep -c : /proc/net/dev`,
      { interpreter: 'bash' },
    );
    server.close();
    expect(stdout).toBe('1\n');
  });
  it('no socket of the host is reached, by path or by abstract name', async () => {
    const name = `\0gateway-test-${process.pid}`;
    const server = createServer((socket) => socket.end('reached')).listen({ path: name });
    await new Promise((resolve) => server.once('listening', resolve));
    const { stdout } = await perl(
      `use Socket; print socket(my $s, AF_UNIX, SOCK_STREAM, 0) ? "made" : $!; socket(my $v, 40, SOCK_STREAM, 0) ? print "vsock" : print " $!"; socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, 0) and print " paired"`,
    );
    server.close();
    expect(stdout).toBe('Operation not permitted Operation not permitted paired');
  });
  it('no namespace can be made in it', async () => {
    const { stdout } = await sh(
      'for how in -U -r -m -n -p; do unshare $how true 2>/dev/null && echo made $how; done; bwrap --ro-bind / / true 2>/dev/null && echo nested; nsenter -t 1 -m true 2>/dev/null && echo entered; true',
    );
    expect(stdout).toBe('');
  });
  it('no process can be traced, no terminal typed into, no ring made', async () => {
    const { stdout } = await perl(
      `for my $call (${process.arch === 'x64' ? '101,310,272,425,321,250' : '117,270,97,425,280,219'}) { my $r = syscall($call, 0, 0, 0, 0); print $r == -1 ? $! + 0 : "allowed", " " } my $c = "x"; print ioctl(STDOUT, 0x5412, $c) ? "typed" : $! + 0`,
    );
    expect(stdout).toBe('1 1 1 1 1 1 1');
  });
  it('a program with the set-user-id bit gains nothing', async () => {
    const { stdout } = await sh(
      'cp /usr/bin/id me; chmod 6755 me; ./me -u; for p in su mount passwd; do p=$(command -v $p) && [ -u $p ] && echo $p; done | while read p; do grep NoNewPrivs /proc/self/status; done; su -c id 2>/dev/null && echo root; echo end',
    );
    expect(stdout.replace(/NoNewPrivs:\t1\n/g, '')).toBe('1000\nend\n');
  });
  it('what the host was booted with, and its keys, are not shown', async () => {
    expect((await sh('cat /proc/cmdline /proc/keys; head -c 1 /proc/kcore')).stdout).toBe('');
  });
});

describe.runIf(possible)('starting on a host', () => {
  it('says how commands run', () => {
    expect(launcher.announcements[0]).toBe(`Agent commands run in bubblewrap sandboxes as user id ${user}.`);
  });
  it('opens the passage through its own directory and names one above it that is closed', async () => {
    const above = mkdtempSync(join(tmpdir(), 'gateway-closed-'));
    const inner = join(above, 'work');
    mkdirSync(inner, { mode: 0o700 });
    await expect(bubblewrapLauncher({ ...settings(), workdir: inner })).rejects.toThrow(new RegExp(above));
    chmodSync(above, 0o711);
    await (await bubblewrapLauncher({ ...settings(), workdir: inner })).close();
    rmSync(above, { recursive: true });
  });
  it('refuses where the sandbox cannot be made, and tells what bubblewrap said', async () => {
    const readable = ['/no/such/directory'];
    await expect(bubblewrapLauncher({ ...settings(), readable })).rejects.toThrow(MissingPart);
    await expect(bubblewrapLauncher({ ...settings(), readable })).rejects.toThrow(/no\/such\/directory/);
  });
});

describe.runIf(possible)('a host without control groups', () => {
  it('is announced, and each process has limits of its own', async () => {
    // Of another user than the commands before: the kernel counts their processes until the last of them has ended.
    const plain = await open({ ...settings(), user: 60_000 + (process.pid % 5000) }, []);
    const ungrouped = (script: string) => runToEnd(plain, workdir.path, shell(script, { session: 'ungrouped' }), SMALL);
    expect(plain.announcements.at(-1)).toMatch(/^No control group can be made for memory, pids, cpu: /);
    const script = 'grep -E "^Max (processes|data|cpu)" /proc/self/limits | tr -s " " | cut -d" " -f 2-5';
    const { stdout } = await ungrouped(script);
    expect(stdout.trim().split('\n')).toEqual([
      'cpu time 60 60',
      `data size ${SMALL.memory} ${SMALL.memory}`,
      `processes ${SMALL.processes} ${SMALL.processes} processes`,
    ]);
    const hungry = await ungrouped('head -c 400000000 /dev/zero | tail -c 400000000 | wc -c');
    expect(hungry.stderr).toMatch(/memory exhausted|Cannot allocate/);
  });
});

/** Throttled periods of the group a process is in. */
function throttled(pid: number): number {
  try {
    const groups = readFileSync(`/proc/${pid}/cgroup`, 'latin1');
    const [, first] = /^\d+:cpu(?:,[^:]*)?:(.*)$/m.exec(groups) ?? [];
    const [, second] = /^0::(.*)$/m.exec(groups) ?? [];
    const file = first === undefined ? `/sys/fs/cgroup${second}/cpu.stat` : `/sys/fs/cgroup/cpu${first}/cpu.stat`;
    return Number(/^nr_throttled (\d+)$/m.exec(readFileSync(file, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** The launcher in a process of its own. */
function alone(script: string, before = ''): ChildProcess {
  const program = fileURLToPath(new URL('../testing/launch-alone.ts', import.meta.url));
  return spawn(
    'sh',
    ['-c', `${before}exec "$@"`, 'sh', process.execPath, program, workdir.path, String(user), script],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
}

async function readAll(child: ChildProcess): Promise<{ events: string }> {
  let events = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    events += text;
  });
  await new Promise((resolve) => child.once('close', resolve));
  return { events };
}
