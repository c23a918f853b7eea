import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { createProgram } from '../run.ts';

/** The script of a shell, as the command prints it. */
async function scriptOf(shell: string): Promise<string> {
  let script = '';
  const terminal = {
    write: async (text: string) => void (script += text),
    report: () => undefined,
    watched: false,
    columns: null,
  };
  const environment = { operator: 'checks' } as never;
  const program = createProgram((json, work) => work({ environment, terminal, json }));
  await program.parseAsync(['completion', shell], { from: 'user' });
  return script;
}

it.each([
  ['', ['grant', 'journal', '--version'], ['prove', '--out']],
  ['journal', ['prove', 'keys', 'check'], ['grant']],
  ['journal keys', ['endorse', '--note'], ['prove']],
  ['grant ada', ['--project', '--file'], ['journal']],
  ['grant --project apollo ada', ['--project'], ['journal']],
])('bash completes after "gatewayctl %s"', async (line, offered, withheld) => {
  const words = ['gatewayctl', ...line.split(' ').filter((word) => word !== ''), ''];
  const script = `${await scriptOf('bash')}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_gatewayctl; echo "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout.trim().split(' ')).toEqual(expect.arrayContaining(offered));
  for (const word of withheld) expect(stdout.trim().split(' ')).not.toContain(word);
});

it('other shells have a script, and a wrong one is wrong usage', async () => {
  expect(await scriptOf('zsh')).toContain('bashcompinit');
  expect(await scriptOf('fish')).toContain(`__gatewayctl_at 'journal'" -a '`);
  await expect(scriptOf('constructor')).rejects.toThrow('The shell must be one of bash, zsh, fish.');
});
