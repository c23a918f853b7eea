import { canaries } from '@gateway/secrets/testing';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectSecrets, createRedaction, credentialsIn, WITHHELD } from './redaction.ts';

const PLACES = { homeDirectories: ['/home/casey', '/data/people/casey'], userName: 'casey' };
const ALL = canaries('gw redaction');
const redaction = createRedaction(PLACES);

describe('a text that is shown', () => {
  it.each([
    ['nothing to hide', 'nothing to hide'],
    ['Zürich 東京 🔑', 'Zürich 東京 🔑'],
    ['one\r\ntwo\u001b[2Jthree\u202efour', 'one two [2Jthree four'],
    ['half a pair \ud800.', 'half a pair \ufffd.'],
    ['', ''],
  ])('%j becomes %j', (text, shown) => {
    expect(redaction.text(text)).toBe(shown);
  });

  it('is cut after it was masked, never within a sign of two halves', () => {
    const shown = redaction.text('🔑'.repeat(1000));
    expect(shown.length).toBeLessThanOrEqual(401);
    expect(shown.isWellFormed()).toBe(true);
    expect(shown.endsWith('…')).toBe(true);
    const [canary] = ALL;
    const split = redaction.text(`${'x '.repeat(195)}${canary?.text}`);
    expect(split).not.toContain(canary?.value.slice(0, 6));
  });

  it.each(ALL.map((canary) => [canary.rule, canary] as const))('contains no %s', (_, { text, value }) => {
    for (const around of [text, `before ${text} after`, `${text}\nnext line`, `\t${text}\r\n`]) {
      expect(redaction.text(around)).not.toContain(value);
      expect(redaction.format`The value is ${around}.`).not.toContain(value);
      expect(redaction.name(around)).not.toContain(value);
    }
  });

  it.each(
    ALL.filter(({ text, value }) => text === value && !text.includes('/') && !text.includes('\n')).map(
      (each) => [each.rule, each] as const,
    ),
  )('holds no %s within a path, an option or a quotation', (_, { value }) => {
    for (const around of [
      `/srv/${value}/x`,
      `a/${value}.md:1:1`,
      `--${value}`,
      `------${value}`,
      `'-${value}'`,
      `"${value}": gone`,
      `C:\\${value}\\x`,
      `${value}.yaml`,
    ])
      expect(redaction.text(around)).not.toContain(value);
  });

  it('is idempotent', () => {
    expect.hasAssertions();
    const words = fc.constantFrom('/home/casey/a', 'casey', '~', 'secret', 'gateway', '[withheld]', '\n', '"', '…');
    fc.assert(
      fc.property(
        fc.array(fc.oneof(words, fc.string(), fc.constantFrom(...ALL.map(({ text }) => text))), { maxLength: 6 }),
        (pieces) => {
          const once = redaction.text(pieces.join(' '));
          expect(once.length > 400 || redaction.text(once) === once).toBe(true);
        },
      ),
    );
  });
});

describe('where a person lives', () => {
  it.each([
    ['/home/casey', '~'],
    ['/home/casey/project/file', '~/project/file'],
    ['/data/people/casey/x', '~/x'],
    ['file:///home/casey/x', 'file://~/x'],
    ['"/home/casey/x": a', '"~/x": a'],
    ['/home/casey2/x', '/home/casey2/x'],
    ['/home/casey.old/x', '/home/casey.old/x'],
    ['/mnt/home/casey/x', '/mnt/home/<user>/x'],
    ['/media/casey/disk and /media/Casey', '/media/<user>/disk and /media/<user>'],
    ['/srv/casey-tools/x', '/srv/casey-tools/x'],
    ['casey wrote this', 'casey wrote this'],
  ])('%s is shown as %s', (text, shown) => {
    expect(redaction.text(text)).toBe(shown);
  });

  it('knows paths of Windows, and a home with signs that mean something to an expression', () => {
    const windows = createRedaction({ homeDirectories: ['C:\\Users\\Casey (home) [1]'], userName: 'Casey' });
    expect(windows.text('c:\\users\\casey (home) [1]\\x and D:\\Profiles\\CASEY\\y')).toBe(
      '~\\x and D:\\Profiles\\<user>\\y',
    );
  });

  it('leaves paths alone where there is no home, or it is the root, and short names', () => {
    const nobody = createRedaction({ homeDirectories: ['/'], userName: 'me' });
    expect(nobody.text('/home/me/x')).toBe('/home/me/x');
    expect(createRedaction({ homeDirectories: [], userName: null }).text('/home/casey')).toBe('/home/casey');
  });
});

describe('what is known to be a secret', () => {
  it('is left out at every position, without any context', () => {
    const own = createRedaction(PLACES);
    own.withhold(' correct horse battery \n');
    own.withhold('correct horse');
    expect(own.text('branch correct horse battery/x')).toBe(`branch ${WITHHELD}/x`);
    expect(own.format`${'correct horse'} and ${2} more`).toBe(`${WITHHELD} and 2 more`);
    expect(own.name('correct horse')).toBe(WITHHELD);
  });

  it('is known in its form in an address, and line by line', () => {
    const own = createRedaction(PLACES);
    own.withhold('p%40ss/word%21');
    own.withhold('first line\nsecond line');
    own.withhold('zur/ück kehren');
    for (const text of ['p%40ss/word%21', 'p@ss/word!', 'second line', 'zur%2F%C3%BCck%20kehren'])
      expect(own.text(`x ${text} y`)).toBe(`x ${WITHHELD} y`);
  });

  it('that is short is no reason to blot out every word', () => {
    const own = createRedaction(PLACES);
    for (const value of ['', ' ', 'a', 'main', 'x\ny', '%']) own.withhold(value);
    expect(own.text('a main branch x y %')).toBe('a main branch x y %');
  });
});

describe('a list of names', () => {
  it('is masked before it is split, and after', () => {
    expect(redaction.names('localhost, .example.org\t10.0.0.0/8,,x7Kq2mZt9RwB4nVs8LcD ')).toEqual([
      'localhost',
      '.example.org',
      '10.0.0.0/8',
      'a name that is not shown',
    ]);
    expect(redaction.names('')).toEqual([]);
    for (const { text, value } of ALL) expect(redaction.names(`localhost, ${text}`).join(' ')).not.toContain(value);
  });

  it('may be longer than any text that is shown', () => {
    expect(redaction.names('host.example '.repeat(100))).toHaveLength(100);
  });
});

describe('a name', () => {
  it.each([
    'GATEWAY_API_KEY',
    'feature/ABC-1234-new-thing',
    'Qwen2.5-Coder-32B-Instruct',
    'claude-sonnet-4-20250514',
    'config.yaml',
    'temperture',
    'Modell für Übersetzungen',
  ])('%s is shown', (name) => {
    expect(redaction.name(name)).toBe(name);
  });

  it.each(['a8f7c1e2b3d4950617283940aabbccdd', 'x7Kq2mZt9RwB4nVs8LcD'])('%s reads as generated, and is not', (name) => {
    expect(redaction.name(name)).toBe('a name that is not shown');
  });
});

const secretsOf = (variables: Record<string, string>): readonly string[] => [
  ...collectSecrets(new Map(Object.entries(variables))),
];

describe('variables whose value is nobody’s business', () => {
  it.each([
    'GATEWAY_KEY',
    'gateway_api_key',
    'GITHUB_TOKEN',
    'CLIENT_SECRET',
    'PGPASSWORD',
    'SSHPASS',
    'DB_PWD',
    'AWS_CREDENTIALS',
    'NPM_AUTH',
    'SESSION_COOKIE',
    'SENTRY_DSN',
    'GATEWAY_LICENSE',
    'SLACK_WEBHOOK',
  ])('%s', (name) => {
    expect(secretsOf({ [name]: 'value' })).toEqual(['value']);
  });

  it.each(['PWD', 'OLDPWD', 'HOME', 'LANG', 'TERM', 'NO_COLOR'])('%s is none of them', (name) => {
    expect(secretsOf({ [name]: 'value' })).toEqual([]);
  });

  it('contain them in their addresses, under any name', () => {
    expect(secretsOf({ HTTPS_PROXY: 'http://casey:hunter2@proxy:3128', UPSTREAM: 'https://token@host/x' })).toEqual([
      'casey',
      'hunter2',
      'token',
    ]);
  });
});

describe('user info of an address', () => {
  it.each([
    ['http://user:pass@host', ['user', 'pass']],
    ['http://user:pa:ss@host:1/x', ['user', 'pa:ss']],
    ['http://user:p@ss@host', ['user', 'p@ss']],
    ['  https://token@host', ['token']],
    ['http://:pass@host', ['', 'pass']],
    ['socks5h://user:pass@host', ['user', 'pass']],
    ['//user:pass@host', ['user', 'pass']],
    ['user:pass@host:3128', ['user', 'pass']],
    ['http://host/path@x', []],
    ['http://host?q=a:b@c', []],
    ['casey@example.org', []],
    ['plain', []],
    ['', []],
  ])('%s: %j', (address, found) => {
    expect(credentialsIn(address)).toEqual(found);
  });
});
