import { appendFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createScanner } from '@gateway/secrets';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL, canaryReports, groups } from './testing/canary-reports.ts';
import { openWorld, type World } from './testing/world.ts';

const scanner = createScanner({ key: Buffer.from('canary') });

let world: World;
beforeAll(() => {
  world = openWorld();
});
afterAll(() => world.close());

const { planted, shown, plant, look, leaked } = canaryReports(() => world);

const json = (text: string): string => JSON.stringify(text);
const bare = (text: string): string => text.replaceAll(/["\\\n]/g, '');

describe('secrets of every kind, planted in every field that is read', () => {
  it('in the environment', async () => {
    const network = [
      'HTTPS_PROXY',
      'http_proxy',
      'ALL_PROXY',
      'NO_PROXY',
      'NODE_EXTRA_CA_CERTS',
      'SSL_CERT_FILE',
      'PATH',
    ];
    const terminal = ['TERM', 'COLORTERM', 'TERM_PROGRAM', 'NO_COLOR', 'FORCE_COLOR', 'LC_ALL', 'LC_CTYPE', 'LANG'];
    const names = [...network, 'NODE_OPTIONS', ...terminal];
    for (const turn of [0, 5, 11]) {
      for (const group of groups(names.length)) {
        const set = group.map((canary, at) => [names[(at + turn) % names.length] as string, plant(canary)] as const);
        await look(`the variables, turn ${turn}`, { variables: Object.fromEntries(set) });
      }
    }
    // A list of names is split, and with it a secret.
    for (const canary of ALL) await look('NO_PROXY', { variables: { NO_PROXY: `localhost,${plant(canary)}` } });
    expect(leaked()).toEqual([]);
  });

  it('as password and as user of a proxy', async () => {
    const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'ALL_PROXY'];
    for (const turn of [0, 1, 2, 3]) {
      for (const group of groups(names.length)) {
        const set = group.map((canary, at) => {
          plant(canary);
          const word = encodeURIComponent(canary.value);
          const info = [`casey:${word}`, word, `${word}:x`, `:${canary.value}`][(at + turn) % 4];
          return [
            names[at] as string,
            turn % 2 === 0 ? `http://${info}@proxy.example:3128` : `${info}@proxy.example`,
          ] as const;
        });
        await look('a proxy', { variables: Object.fromEntries(set) });
      }
    }
    expect(leaked()).toEqual([]);
  });

  describe.each([
    [
      'as unknown members',
      10,
      (texts: readonly string[]) => texts.map((text) => `${json(text)}: ${json(text)}\n`).join(''),
    ],
    [
      'in comments',
      10,
      (texts: readonly string[]) =>
        `${texts.map((text) => `# ${text.replaceAll('\n', '\n# ')}\n`).join('')}modles: 1\n`,
    ],
    [
      'in models',
      10,
      (texts: readonly string[]) => {
        const models = texts.map((text) => {
          const address = json(
            `https://h.example/${encodeURIComponent(text)}/${text.replaceAll(/\s/g, '')}?key=${encodeURIComponent(text)}`,
          );
          return `{name: ${json(text)}, model: ${json(text)}, endpoint: ${address}, apiKey: ${json(text)}, roles: [${json(text)}]}`;
        });
        return `models: [${models.join(', ')}]\n`;
      },
    ],
    [
      'in values of a wrong type',
      6,
      (texts: readonly string[]) => {
        const models = texts.map(
          (text) => `{name: [${json(text)}], endpoint: ${json(text)}, apiKey: {${json(text)}: 1}, ${json(text)}: 1}`,
        );
        return `models: [${models.join(', ')}]\nversion: {${json(texts[0] ?? '')}: 1}\nprompts: ${json(texts[1] ?? '')}\n`;
      },
    ],
    [
      'in servers',
      4,
      (texts: readonly string[]) => {
        const servers = texts.map((text) => {
          const word = json(text);
          return `{name: ${word}, command: ${word}, args: [${word}], env: {${word}: ${word}, K: ${word}}, cwd: ${word}, type: ${word}, url: ${word}}`;
        });
        return `mcpServers: [${servers.join(', ')}]\nrules: [${texts.map(json).join(', ')}]\n`;
      },
    ],
    [
      'in user names of addresses',
      10,
      (texts: readonly string[]) =>
        `models: [${texts.map((text) => `{name: a, apiBase: ${json(`https://${encodeURIComponent(text)}@h.example`)}}`).join(', ')}]\n`,
    ],
    [
      'in references',
      6,
      (texts: readonly string[]) =>
        `rules:\n${texts.map((text) => `- "\${{ env.${bare(text)} }}"\n- "\${{ secrets.${bare(text)} }}"\n`).join('')}`,
    ],
    [
      'in blocks',
      4,
      (texts: readonly string[]) => texts.map((text, at) => `b${at}: |\n  ${text.replaceAll('\n', '\n  ')}\n`).join(''),
    ],
    [
      'in what is no YAML',
      1,
      ([text = '']: readonly string[]) => `a: ${text}\n  b: *${text}\n\t- !${text} &${text} x\n"${text}\n`,
    ],
  ] as const)('in the configuration, %s', (where, size, written) => {
    it(`${size} at a time`, async () => {
      for (const group of groups(size)) {
        world.write('home/casey/.gateway/config.yaml', written(group.map(plant)));
        await look(`configuration, ${where}`);
      }
      rmSync(join(world.home, '.gateway'), { recursive: true });
      expect(leaked()).toEqual([]);
    });
  });

  it('as the value of a variable that the configuration refers to', async () => {
    for (const group of groups(8)) {
      const models = group.map((_, at) => `{name: a${at}, endpoint: 'https://h', apiKey: '\${{ env.PLAIN_${at} }}'}`);
      world.write('home/casey/.gateway/config.yaml', `models: [${models.join(', ')}]\n`);
      for (const canary of group) plant(canary);
      const set = group.map(({ value }, at) => [`PLAIN_${at}`, value] as const);
      // The bare values, which no context announces, also occur in other positions.
      const [term, lang] = [group[0]?.value ?? '', ` ${group.at(-1)?.value}\n`];
      await look('referenced variables', { variables: { ...Object.fromEntries(set), TERM: term, LANG: lang } });
    }
    expect(leaked()).toEqual([]);
  });

  it('in agents and instructions', async () => {
    const agents = [
      (text: string) => `---\nname: ${json(text)}\nmodel: ${json(text)}\ntools: [${json(text)}]\n---\n${text}\n`,
      (text: string) => `---\nname: a\n${json(text)}: ${json(text)}\ndescription: ${text}\n---\n`,
      (text: string) => `---\n# ${text}\nname: &${text.replaceAll(/\s/g, '')} x\n`,
      (text: string) => text,
    ];
    for (const turn of [0, 2]) {
      for (const group of groups(10)) {
        for (const [at, canary] of group.entries()) {
          const text = plant(canary);
          const side = at % 2 === 0 ? 'home/casey' : 'work/shop';
          world.write(`${side}/.gateway/agents/${at}.md`, agents[(at + turn) % agents.length]?.(text) ?? '');
          world.write(`work/shop/.gateway/rules/deep/${at}.md`, text);
          world.write(at % 2 === 0 ? 'work/shop/AGENTS.md' : 'work/shop/CLAUDE.md', `Use ${text}.\n`);
        }
        await look(`agents, turn ${turn}`);
      }
    }
    expect(leaked()).toEqual([]);
  });

  it('as names of files, directories and links', async () => {
    const usable = ALL.filter(({ text }) => Buffer.byteLength(text) < 240 && !text.includes('/'));
    for (const group of groups(12).map((each) => each.filter((canary) => usable.includes(canary)))) {
      const other = openWorld();
      for (const canary of group) {
        const name = plant(canary);
        other.write(`work/shop/.gateway/${name}`, '', 0o644);
        other.write(`work/shop/.gateway/rules/${name}/${name}.md`, 'text', 0o666);
        other.write(`home/casey/.gateway/agents/${name}.md`, 'text');
        symlinkSync(name, join(other.root, 'home/casey/.gateway', name));
      }
      world.close();
      world = other;
      await look('names of files');
    }
    expect(usable.length).toBeGreaterThan(ALL.length * 0.6);
    expect(leaked()).toEqual([]);
  });

  it('as the current directory, and as home', async () => {
    for (const canary of ALL.filter(({ text }) => Buffer.byteLength(text) < 240 && !text.includes('/'))) {
      const at = join(world.root, plant(canary), 'below');
      mkdirSync(at, { recursive: true });
      const own = { workingDirectory: at, homeDirectory: join(world.root, 'home'), userName: canary.value };
      await look('the current directory', { environment: own }, '--config', canary.text);
    }
    expect(leaked()).toEqual([]);
  });

  it('in the repository: branch, changed files, remotes', async () => {
    const other = openWorld();
    world.close();
    world = other;
    world.git('init');
    const named = ALL.filter(({ text }) => /^[\w][\w./+=-]*\w$/.test(text) && !/\.\.|\/\/|\/\.|\.lock/.test(text));
    const remotes = named.map(({ value }, at) => `[remote "r${at}"]\n\turl = https://casey:${value}@host.example/x\n`);
    appendFileSync(join(world.project, '.git', 'config'), remotes.join(''));
    const git = { variables: { PATH: process.env['PATH'] ?? '' } };
    for (const canary of named) {
      const name = plant(canary);
      world.git('symbolic-ref', 'HEAD', `refs/heads/feature/${name}`);
      world.write(`work/shop/${name.replaceAll('/', '_')}`, '');
      await look('a branch', git);
    }
    expect(shown.some(({ where, text }) => where === 'a branch' && text.includes('feature/'))).toBe(true);
    expect(leaked()).toEqual([]);
  });

  it('in what tools answer', async () => {
    for (const group of groups(20)) {
      for (const canary of group) plant(canary);
      const said = group.map(({ text }) => `'${text.replaceAll("'", '')}'`).join(' ');
      world.write('bin/rg', `#!/bin/sh\necho ripgrep 1.2-x ${said}\necho ${said} >&2\n`, 0o755);
      world.write('bin/git', `#!/bin/sh\necho ${said}\nexit 1\n`, 0o755);
      await look('tools', { variables: { PATH: join(world.root, 'bin') } });
    }
    expect(leaked()).toEqual([]);
  });

  it('in words of the command line that are not understood, and in paths that cannot be written', async () => {
    for (const [turn, canary] of ALL.entries()) {
      const text = plant(canary);
      const lines = [
        [text],
        [`--${text}`],
        ['diagnose', text],
        ['diagnose', `--${text}`],
        ['diagnose', '--output', `${world.root}/absent/${text}`],
      ];
      for (const words of lines.filter((_, at) => at === turn % 4 || at === 4)) {
        const { code, out, err } = await world.gw(words);
        expect(code === 0 ? words : code).toBe(words.includes('--output') ? 1 : 2);
        expect(err).toMatch(/^[^\n]+\n$/);
        shown.push({ where: 'the command line', text: out + err });
      }
    }
    expect(leaked()).toEqual([]);
  });
});

it('every kind was planted, and everything was looked at', () => {
  expect(new Set([...planted.values()].map(({ rule }) => rule)).size).toBe(new Set(ALL.map(({ rule }) => rule)).size);
  expect(shown.length).toBeGreaterThan(150);
});

it('detection finds nothing in any of it either', () => {
  const found = shown.flatMap(({ where, text }) => scanner.scanText(text).map(({ rule }) => `${rule} in ${where}`));
  expect([...new Set(found)]).toEqual([]);
});
