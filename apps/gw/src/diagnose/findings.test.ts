import { canaries } from '@gateway/secrets/testing';
import { describe, expect, it } from 'vitest';
import { type Report, redactReport } from '../cli/commands/diagnose-run.ts';
import { type Fault, positionIn } from '../configuration/position.ts';
import { pluralize } from '../process/pluralize.ts';
import { createRedaction } from '../redaction/redaction.ts';
import { MACHINE, NOW } from '../testing/world.ts';
import { detours, type ProxiesFacts } from './certificates.ts';
import { type Finding, findSecrets, type Probe, reportFaults } from './probe.ts';

/** A probe that nothing is looked at with, and what was found by it. */
function aProbe(): { readonly probe: Probe; readonly found: readonly Omit<Finding, 'grade'>[] } {
  const found: Omit<Finding, 'grade'>[] = [];
  const terminal = {
    write: async () => {},
    report: () => {},
    readAll: async () => '',
    readHidden: async () => null,
    ask: async () => null,
    input: false,
    output: false,
    error: false,
  };
  const probe: Probe = {
    environment: {
      variables: new Map(),
      homeDirectory: '/home/casey',
      workingDirectory: '/',
      userName: 'casey',
      userId: null,
    },
    machine: MACHINE,
    now: () => NOW,
    terminal: { ...terminal, columns: null, rows: null, colors: 1 },
    redaction: createRedaction({ homeDirectories: ['/home/casey'], userName: 'casey' }),
    find: (finding) => found.push(finding),
    interrupted: () => new AbortController().signal,
  };
  return { probe, found };
}

describe('a position in a text', () => {
  it.each([
    ['abc', 0, 1, 1],
    ['abc', 2, 1, 3],
    ['a\nbc', 2, 2, 1],
    ['a\r\nbc', 4, 2, 2],
    ['\n\n\nx', 3, 4, 1],
    ['🔑x', 2, 1, 3],
  ])('%j at %i is line %i, column %i', (text, offset, line, column) => {
    expect(positionIn(text, offset)).toEqual({ line, column });
  });
});

describe('faults of a text', () => {
  const fault = (path: Fault['path'], says: string): Fault => ({
    line: 3,
    column: 5,
    path,
    message: says,
    fix: 'Correct it.',
  });

  it.each([
    [[], 'is empty', 'The file is empty.'],
    [['name'], 'must be text', 'name must be text.'],
    [['models', 0, 'name'], 'is missing', 'models[0].name is missing.'],
    [['mcpServers', 12, 'env', 'TOKEN'], 'is empty', 'mcpServers[12].env.TOKEN is empty.'],
    [null, 'It has no prompt.', 'It has no prompt.'],
    [['a8f7c1e2b3d4950617283940aabbccdd'], 'is strange', 'a name that is not shown is strange.'],
  ])('%j %s: %s', (path, says, what) => {
    const { probe, found } = aProbe();
    reportFaults(probe, '/home/casey/x.yaml', [fault(path, says)]);
    expect(found).toEqual([{ what, where: '~/x.yaml:3:5', fix: 'Correct it.' }]);
  });

  it('are shown up to twenty', () => {
    const { probe, found } = aProbe();
    reportFaults(
      probe,
      'x',
      Array.from({ length: 20 }, () => fault(['a'], 'is strange')),
    );
    expect(found).toHaveLength(20);
    reportFaults(
      probe,
      'x',
      Array.from({ length: 21 }, () => fault(['a'], 'is strange')),
    );
    expect(found).toHaveLength(41);
    expect(found.at(-1)?.what).toBe('More is wrong: 1 fault.');
  });
});

describe('secrets in a text of the user’s', () => {
  it('are shown once a line, by kind, and redacted everywhere from then on', () => {
    const { probe, found } = aProbe();
    const [first, second] = canaries('findings').filter(({ text, value, line }) => line && text === value);
    const text = `one\n${first?.text} ${second?.text}\n\n  ${second?.text}\n`;
    findSecrets(probe, '/home/casey/AGENTS.md', text, 'Take it out.');
    expect(found.map(({ where }) => where)).toEqual(['~/AGENTS.md:2:1', '~/AGENTS.md:4:3']);
    expect(found[0]?.what).toMatch(/^What looks like a secret \([a-z-]+\) is there in plain text\.$/);
    expect(probe.redaction.text(`x${second?.value}x`)).not.toContain(second?.value);
  });

  it('are not shown again for the same line', () => {
    const { probe, found } = aProbe();
    const [canary] = canaries('known line');
    findSecrets(probe, 'x', `${canary?.text}\n`, 'Take it out.', new Set([1]));
    expect(found).toEqual([]);
  });

  it('are none where there are none', () => {
    const { probe, found } = aProbe();
    for (const text of ['', 'Use tabs.\n', 'apiKey: ${{ env.GATEWAY_KEY }}\n', 'password: <your password>\n'])
      findSecrets(probe, 'x', text, 'Take it out.');
    expect(found).toEqual([]);
  });
});

describe('the redacted report', () => {
  it('has every text redacted, at any depth, and everything else as it was', () => {
    const redaction = createRedaction({ homeDirectories: ['/home/casey'], userName: 'casey' });
    redaction.withhold('correct horse');
    const report = {
      a: '/home/casey/x',
      b: [{ c: ['correct horse', 7, null, true] }],
      d: { e: { f: '/media/casey/y' } },
      g: 1.5,
    } as unknown as Report;
    expect(redactReport(report, redaction)).toEqual({
      a: '~/x',
      b: [{ c: ['[withheld]', 7, null, true] }],
      d: { e: { f: '/media/<user>/y' } },
      g: 1.5,
    });
  });
});

describe('the way to this machine', () => {
  const through = (variable: string, exceptions: readonly string[] = []): ProxiesFacts => ({
    proxies: [{ variable, address: 'http://proxy.example', credentials: false }],
    exceptions,
  });

  it.each([
    ['http://localhost/', through('http_proxy'), true],
    ['https://localhost/', through('HTTPS_PROXY'), true],
    ['https://localhost/', through('HTTP_PROXY'), false],
    ['http://127.1.2.3/', through('ALL_PROXY'), true],
    ['http://127.1.2.3/', through('ALL_PROXY', ['127.0.0.0/8']), false],
    ['http://localhost/', through('HTTP_PROXY', ['127.0.0.0/8']), true],
    ['http://localhost.example/', through('HTTP_PROXY'), false],
    ['http://[::1]/', through('HTTP_PROXY', ['localhost']), true],
  ])('%s by %j: %s', (address, proxies, detour) => {
    expect(detours(proxies, new URL(address))).toBe(detour);
  });
});

it.each([
  [0, '0 files'],
  [1, '1 file'],
  [2, '2 files'],
])('%i of them: %s', (count, text) => {
  expect(pluralize(count, 'file')).toBe(text);
  expect(pluralize(count, 'entry', 'entries')).toBe(`${count} ${count === 1 ? 'entry' : 'entries'}`);
});
