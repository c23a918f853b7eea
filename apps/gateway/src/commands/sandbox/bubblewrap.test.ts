import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MissingPart } from '../processes.ts';
import { readAll, startAlone } from '../testing/own-process.ts';
import { runToEnd, SANDBOX_USER, SMALL, shell } from '../testing/run.ts';
import { openSandboxes, possible, type Sandboxes } from '../testing/sandboxes.ts';
import { bubblewrapLauncher } from './bubblewrap.ts';

let at: Sandboxes;
beforeAll(async () => {
  if (possible) at = await openSandboxes();
});
afterAll(() => at?.close());

describe.runIf(possible)('a command in a sandbox', () => {
  it('runs in its directory, as a user without rights', async () => {
    const { stdout, end } = await at.sh(
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
    await at.sh('echo kept > note', { session: 'files' });
    expect((await at.sh('cat note', { session: 'files' })).stdout).toBe('kept\n');
    expect((await at.sh('cat note', { session: 'others' })).end.code).toBe(1);
  });
  it('is not started with more or longer variables than the system accepts', async () => {
    const many = new Map(Array.from({ length: 3000 }, (_, index) => [`V${index}`, '']));
    for (const variables of [many, new Map([['A', 'x'.repeat(2 ** 17)]])]) {
      await expect(at.sh('true', { variables })).rejects.toMatchObject({ code: 'E2BIG' });
    }
    const fitting = new Map([['A', 'x'.repeat(2 ** 17 - 3)], ...[...many].slice(0, 2900)]);
    expect((await at.sh('echo ${#A}; env | grep -c ^V', { variables: fitting })).stdout).toBe('131069\n2900\n');
  });
  it('is not started with more arguments than the system accepts, and is started with the maximum', async () => {
    const words = (count: number) => ({ arguments: ['-c', 'echo $#', 'sh', ...Array<string>(count).fill('x')] });
    await expect(at.sh('', words(8990))).rejects.toMatchObject({ code: 'E2BIG' });
    let most = 8000;
    for (let step = 512; step >= 1; step /= 2) {
      const { end, stdout } = await at.sh('', words(most + step)).catch(() => ({ end: null, stdout: '' }));
      if (end === null) continue; // refused before it began
      most += step;
      expect([end.code, stdout]).toEqual([0, `${most}\n`]);
    }
    expect(most).toBeGreaterThan(8000);
  });
  it('starts after any change the last one made to the directory', async () => {
    for (const mode of ['000', '7777', '2300']) {
      expect((await at.sh(`chmod ${mode} /workspace`, { session: 'closed' })).end.code).toBe(0);
      const { stdout, end } = await at.sh('touch it && stat -c %a .', { session: 'closed' });
      expect([stdout, end.code]).toEqual(['700\n', 0]);
    }
  });
  it('has the given variables, none of the gateway, and its own path', async () => {
    process.env['CANARY_OF_THE_TEST'] = 'canary-5150';
    const { stdout } = await at.sh('env; cat /proc/[0-9]*/environ | tr "\\0" "\\n"', {
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
    const mark = join(at.workdir, 'injected');
    for (const interpreter of ['--bind', '--dev-bind', '--', '-h', '--version']) {
      const words = ['/', '/', 'touch', mark];
      const { end } = await runToEnd(at.launcher, at.workdir, shell('', { interpreter, arguments: words }));
      expect(end.code).not.toBe(0);
    }
    expect(existsSync(mark)).toBe(false);
  });
  it('gets no descriptor that the gateway was started with', async () => {
    // Only this test's own process has one: descriptor 7, opened by the shell that starts it.
    const child = startAlone(at.workdir, 'ls /proc/self/fd; cat <&7', 'exec 7</etc/hostname; ');
    const { events } = await readAll(child);
    expect(events).not.toContain(Buffer.from(readFileSync('/etc/hostname')).toString('base64').slice(0, 8));
  });
  it('opens its outputs by name, as scripts do', async () => {
    const { stdout, stderr } = await at.sh(
      'echo one >/dev/stderr; echo two | tee /dev/stderr; echo three >/dev/stdout',
    );
    expect(stdout).toBe('two\nthree\n');
    expect(stderr).toBe('one\ntwo\n');
  });
  it('passes on 4 MiB of output intact', async () => {
    const { stdout, end } = await at.sh('head -c 4194304 /dev/zero | tr "\\0" "x"');
    expect(stdout).toBe('x'.repeat(4_194_304));
    expect(end.written).toEqual({ stdout: 4_194_304, stderr: 0 });
  });
  it('is distinguished from a program that does not exist', async () => {
    const { end, stderr } = await runToEnd(at.launcher, at.workdir, shell('', { interpreter: 'no-such-program' }));
    expect(end.code).toBe(1);
    expect(stderr).toContain('no-such-program');
  });
});

describe.runIf(possible)('the host is out of reach', () => {
  it('nothing can be written but the session and its temporary files', async () => {
    const temporary = new Set(['/tmp', tmpdir()]);
    const places = ['/', '/usr', '/etc', '/etc/ssl', '/var', '/dev', '/proc/sys/kernel', at.workdir, ...temporary];
    const { stdout } = await at.sh(
      `for d in ${places.join(' ')}; do echo x > $d/mark-of-the-test && echo $d; done 2>/dev/null; true`,
    );
    expect(stdout).toBe('/tmp\n'); // Its own.
    expect([...temporary].filter((place) => existsSync(join(place, 'mark-of-the-test')))).toEqual([]);
  });
  it('no other session, no file of the gateway, no other process is seen', async () => {
    await at.sh('echo mine > canary-file', { session: 'one' });
    const { stdout } = await at.sh(
      `find / -path /usr -prune -o -path /proc -prune -o -name canary-file -print 2>/dev/null; ls ${at.workdir} /root /home 2>/dev/null; set -- /proc/[0-9]*; echo $#; kill -0 ${process.pid} && echo signalled`,
      { session: 'two' },
    );
    expect(Number(stdout)).toBeLessThan(6);
  });
  it('a link out of the directory has no target', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'gateway-outside-'));
    writeFileSync(join(outside, 'canary'), 'x');
    chmodSync(outside, 0o777);
    await at.sh(`ln -s ${outside} out; ln -s / root; ln -s /proc/1/root/.. up`, { session: 'links' });
    const { stdout } = await at.sh('cat out/canary; echo x > out/mark; ls root/root up/root; echo x > root/etc/mark', {
      session: 'links',
    });
    expect(stdout).toBe('');
    expect(existsSync(join(outside, 'mark'))).toBe(false);
    rmSync(outside, { recursive: true });
  });
  it('a directory swapped for a link while commands start does not move the sandbox', async () => {
    const swap = at.sh('i=0; while [ $i -lt 300 ]; do mkdir d; rmdir d; ln -s /etc d; rm d; i=$((i+1)); done', {
      session: 'swap',
    });
    const others = await Promise.all(
      Array.from({ length: 4 }, () => at.sh('cd d 2>/dev/null; cat shadow 2>/dev/null; pwd', { session: 'swap' })),
    );
    for (const { stdout } of others) expect(stdout).toMatch(/^\/(workspace|etc)(\/d)?\n$/);
    await swap;
  });
  // commands-8
  it('there is no network but its own loopback', async () => {
    const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { stdout } = await at.sh(
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
    const { stdout } = await at.perl(
      `use Socket; print socket(my $s, AF_UNIX, SOCK_STREAM, 0) ? "made" : $!; socket(my $v, 40, SOCK_STREAM, 0) ? print "vsock" : print " $!"; socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, 0) and print " paired"`,
    );
    server.close();
    expect(stdout).toBe('Operation not permitted Operation not permitted paired');
  });
  it('no namespace can be made in it', async () => {
    const { stdout } = await at.sh(
      'for how in -U -r -m -n -p; do unshare $how true 2>/dev/null && echo made $how; done; bwrap --ro-bind / / true 2>/dev/null && echo nested; nsenter -t 1 -m true 2>/dev/null && echo entered; true',
    );
    expect(stdout).toBe('');
  });
  it('no process can be traced, no terminal typed into, no ring made', async () => {
    const { stdout } = await at.perl(
      `for my $call (${process.arch === 'x64' ? '101,310,272,425,321,250' : '117,270,97,425,280,219'}) { my $r = syscall($call, 0, 0, 0, 0); print $r == -1 ? $! + 0 : "allowed", " " } my $c = "x"; print ioctl(STDOUT, 0x5412, $c) ? "typed" : $! + 0`,
    );
    expect(stdout).toBe('1 1 1 1 1 1 1');
  });
  it('a program with the set-user-id bit gains nothing', async () => {
    const { stdout } = await at.sh(
      'cp /usr/bin/id me; chmod 6755 me; ./me -u; for p in su mount passwd; do p=$(command -v $p) && [ -u $p ] && echo $p; done | while read p; do grep NoNewPrivs /proc/self/status; done; su -c id 2>/dev/null && echo root; echo end',
    );
    expect(stdout.replace(/NoNewPrivs:\t1\n/g, '')).toBe('1000\nend\n');
  });
  it('what the host was booted with, and its keys, are not shown', async () => {
    expect((await at.sh('cat /proc/cmdline /proc/keys; head -c 1 /proc/kcore')).stdout).toBe('');
  });
});

describe.runIf(possible)('starting on a host', () => {
  it('logs how commands run', () => {
    expect(at.launcher.announcements[0]).toBe(
      `Agent commands run in bubblewrap sandboxes as user id ${SANDBOX_USER}, which all of them share.`,
    );
  });
  it('opens the passage through its own directory and names one above it that is closed', async () => {
    const above = mkdtempSync(join(tmpdir(), 'gateway-closed-'));
    const inner = join(above, 'work');
    mkdirSync(inner, { mode: 0o700 });
    await expect(bubblewrapLauncher({ ...at.settings, workdir: inner })).rejects.toThrow(new RegExp(above));
    chmodSync(above, 0o711);
    await (await bubblewrapLauncher({ ...at.settings, workdir: inner })).close();
    rmSync(above, { recursive: true });
  });
  it('refuses where the sandbox cannot be made, and reports bubblewrap’s message', async () => {
    const readable = ['/no/such/directory'];
    await expect(bubblewrapLauncher({ ...at.settings, readable })).rejects.toThrow(MissingPart);
    await expect(bubblewrapLauncher({ ...at.settings, readable })).rejects.toThrow(/no\/such\/directory/);
  });
});

describe.runIf(possible)('a host without control groups', () => {
  it('is announced, and each process has limits of its own', async () => {
    // A different user than before: the kernel counts their processes until the last of them has ended.
    const plain = await at.open({ ...at.settings, user: 60_000 + (process.pid % 5000) }, []);
    const ungrouped = (script: string) => runToEnd(plain, at.workdir, shell(script, { session: 'ungrouped' }), SMALL);
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
