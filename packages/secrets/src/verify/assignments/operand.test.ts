import { describe, expect, it } from 'vitest';
import { createScanner } from '../../stream/scanner.ts';
import { dice, draw } from '../../testing/specimen.ts';
import { ask } from '../../testing/view.ts';
import { FOUND, MORE } from '../view.ts';
import { COMMAND_KEYWORDS, checkCommand } from './command-line.ts';

const scanner = createScanner({ key: Buffer.from('operand') });
const password = draw('A-Za-z0-9', 16, dice('operand'));
const keywordOf = (text: string) => COMMAND_KEYWORDS.find((keyword) => text.toLowerCase().includes(keyword)) ?? '';

const COMMANDS = [
  'htpasswd -b /etc/nginx/.htpasswd alice §',
  'htpasswd -cb -B .htpasswd alice §',
  "htpasswd -b -B -C 12 .htpasswd alice '§'",
  'docker run --rm httpd htpasswd -Bbn alice § > auth',
  'htpasswd -bnBC 10 "" § | tr -d :',
  'net use Z: \\\\srv\\share § /user:alice',
  'net use Z: \\\\srv\\share /user:ACME\\alice §',
  'net use * \\\\nas\\share "§" /USER:alice /persistent:no',
  'net use \\\\srv\\share /u:alice §',
  'net user alice § /add',
  'echo § | sudo -S apt-get update',
  "echo -n '§' | sudo -k -S id",
  'echo "§"|sudo -kS id',
  "printf '%s\\n' '§' | sudo -S id",
  'echo "§" | docker login ghcr.io -u ci --password-stdin',
  'echo § | passwd --stdin alice',
  'echo "alice:§" | sudo chpasswd',
  "rabbitmqctl add_user shop '§'",
  'rabbitmqctl change_password shop §',
  "sudo -S apt-get update <<< '§'",
  'sudo -kS id <<<"§"',
  'docker login ghcr.io -u ci --password-stdin <<< §',
  'redis-cli AUTH §',
  "redis-cli auth shop '§'",
  '127.0.0.1:6379> AUTH §',
  'redis.example:6379[2]> AUTH shop "§"',
] as const;

describe('the password among the words of a command', () => {
  it.each(COMMANDS)('is found alone: %s', (form) => {
    const text = form.replace('§', password);
    expect(scanner.scanText(text).map(({ start, end }) => text.slice(start, end))).toEqual([password]);
  });

  it.each(COMMANDS)('leaves no letter early, and decides the same at every division: %s', (form) => {
    const text = `$ ${form.replace('§', password)}\ndone, with ${'a few more words '.repeat(10)}`;
    const found = scanner.scanText(text).map(({ rule, digest }) => [rule, digest]);
    for (let cut = 1; cut < text.length; cut++) {
      const channel = scanner.channel({ high: 'mask', medium: 'mask' }, null);
      const steps = [channel.push(text.slice(0, cut)), channel.push(text.slice(cut)), channel.end()];
      expect([cut, steps.flatMap(({ findings }) => findings.map(({ rule, digest }) => [rule, digest]))]).toEqual([
        cut,
        found,
      ]);
    }
  });

  it.each([
    ...[
      '$PASS',
      '"$PASS"',
      '<password>',
      '********',
      'password',
      'changeme',
      '${PASS}',
      'YOUR_PASSWORD',
      '%PASS%',
    ].flatMap((word) => COMMANDS.map((form) => form.replace('§', word))),
    `htpasswd -c users ${password}`,
    `htpasswd -B users alice ${password}`,
    `net use Z: \\\\srv\\${password} /persistent:yes`,
    'net use of this knowledge by applications /u',
    `net users ${password} /day`,
    'net user experience improvements /month',
    `echo ${password} | sudo tee /etc/id`,
    `echo ${password} | base64 -d`,
    'echo "$USER:$PASS" | chpasswd',
    `rabbitmqctl set_permissions shop ${password}`,
    `echo ${password} > file; sudo -S id`,
    `echo y | sudo pacman -S ${password}`,
    `base64 -d <<< ${password}`,
    `sudo -S id; base64 -d <<< ${password}`,
    `redis-cli AUTH flow of ${password} is`,
    `if a> auth ${password}`,
  ])('is none: %s', (text) => {
    expect(scanner.scanText(text)).toEqual([]);
  });

  it('is delayed from its first letter on, and an ordinary line is not', () => {
    const delayed = ask(checkCommand, 'echo ', `echo ${password} | su`, false);
    expect([delayed.verdict, delayed.view.hold]).toEqual([MORE, 'echo '.length]);
    expect(ask(checkCommand, 'echo ', 'echo two words', false).verdict).not.toBe(MORE);
    expect(ask(checkCommand, 'net use ', 'the net use of energy has', false).verdict).not.toBe(MORE);
    const found = `echo ${password} | sudo -S id\n`;
    expect(ask(checkCommand, keywordOf(found), found, false)).toMatchObject({ verdict: FOUND, value: password });
  });
});
