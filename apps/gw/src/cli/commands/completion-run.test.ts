import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorld, type World } from '../../testing/world.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

/** What bash would offer for a line whose last word is being typed. */
async function offered(...line: readonly string[]): Promise<readonly string[]> {
  const { out } = await world.gw(['completion', 'bash']);
  const words = line.map((word) => `'${word}'`).join(' ');
  const script = `${out}\nCOMP_WORDS=(${words}); COMP_CWORD=${line.length - 1}; _gw; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect(status).toBe(0);
  return stdout.trim().split('\n');
}

it('completes commands and their options in bash', async () => {
  expect(await offered('gw', 'rep')).toEqual(['replay']);
  expect(await offered('gw', '--mod')).toEqual(['--model']);
  expect(await offered('gw', 'replay', '--')).toEqual(['--json', '--purges', '--help']);
  expect(await offered('gw', 'comp')).toEqual(['']);
});

/** Runs a shell on a script, with the completion of `gw` in the file $GW. */
async function inShell(shell: 'zsh' | 'fish', script: string): Promise<string> {
  const { out } = await world.gw(['completion', shell]);
  const file = world.write('gw-completion', out);
  const words = shell === 'zsh' ? ['-f', '-c', script] : ['--no-config', '-c', script];
  const env = { ...process.env, GW: file, HOME: world.home, TERM: 'dumb' };
  const { status, stdout, stderr } = spawnSync(shell, words, { encoding: 'utf8', env, timeout: 60_000 });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

it.runIf(has('fish'))('completes in fish', async () => {
  const completed = await inShell('fish', 'source $GW; complete -C "gw repl"; complete -C "gw purge --bef"');
  expect(completed).toMatch(/^replay\t/);
  expect(completed).toMatch(/^--before\t/m);
});

it.runIf(has('zsh'))('completes in zsh', async () => {
  // A second shell in a pseudo-terminal, in which Tab is pressed.
  const lines = ['PS1=ready:', 'autoload -U compinit', 'compinit -u -D', 'source $GW', 'echo loaded'];
  const script = `zmodload zsh/zpty; zpty z zsh -f -i
${lines.map((line) => `zpty -w z '${line}'`).join('\n')}
zpty -r -m z seen '*loaded*loaded*'
zpty -w -n z $'gw repl\\t'; zpty -r -m z one '*gw replay *'
zpty -w -n z $'--pur\\t'; zpty -r -m z two '*--purges*'
print -r -- done`;
  expect(await inShell('zsh', script)).toBe('done\n');
  const { out } = await world.gw(['completion', 'zsh']);
  expect(spawnSync('zsh', ['-f', '-n', world.write('gw-syntax', out)]).status).toBe(0);
});

it('writes scripts for zsh and fish', async () => {
  expect((await world.gw(['completion', 'zsh'])).out).toMatch(/^#compdef gw\n/);
  const { out } = await world.gw(['completion', 'fish']);
  expect(out).toMatch(/^complete -c gw -n __fish_use_subcommand -f -a replay -d '/m);
  expect(out).toMatch(/^complete -c gw -n '__fish_seen_subcommand_from purge' -l before -r -d '/m);
});

it('knows three shells', async () => {
  expect(await world.gw(['completion', 'tcsh'])).toMatchObject({ code: 2, out: '' });
  expect((await world.gw(['--help'])).out).not.toMatch(/^ +completion/m);
});
