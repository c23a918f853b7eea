import { describe, expect, it } from 'vitest';
import type { PolicyInForce } from '../agent/types/index.ts';
import { NO_ORGANIZATION } from '../organization/open.ts';
import { followPolicy } from './dependencies.ts';
import { optionRules, policyRules } from './rules.ts';
import { createModelGuard } from './workspace.ts';

const POLICY: PolicyInForce = {
  source: 'gateway',
  revision: 1,
  document: { version: 1 },
  tools: { exclude: ['Fetch'], ask: ['Bash(git push *)'], allow: ['Read'] },
  commands: 'workstation',
  notice: null,
};

/** An organization whose policies follow each other, one for each time it is asked. */
function world(policies: readonly (Partial<PolicyInForce> | Error)[], appendFails = false) {
  let left = [...policies];
  const entries: unknown[] = [];
  const governed = followPolicy(
    {
      ...NO_ORGANIZATION,
      async policy() {
        const [next = {}, ...rest] = left;
        left = rest;
        if (next instanceof Error) throw next;
        return { ...POLICY, ...next };
      },
    },
    {
      async append(entry) {
        if (appendFails) throw new Error('The disk is full.');
        entries.push(entry);
      },
    },
    createModelGuard(),
  );
  return { governed, entries };
}
const texts = (rules: readonly { readonly text: string }[]) => rules.map(({ text }) => text);

describe('the policy of the organization', () => {
  it('imposes nothing before it was asked for, and counts as soon as it is known', async () => {
    const { governed } = world([{}]);
    expect(governed.rules()).toEqual({ exclude: [], ask: [], allow: [] });
    expect(await governed.refresh()).toEqual([]);
    const { exclude, ask, allow } = governed.rules();
    expect([exclude, ask, allow].map(texts)).toEqual([['Fetch'], ['Bash(git push *)'], ['Read']]);
  });

  it('is recorded when its revision changes, with what it was before, and only then', async () => {
    const { governed, entries } = world([{}, {}, { revision: 2, document: { version: 2 }, source: 'kept' }, {}]);
    for (let turn = 0; turn < 4; turn += 1) await governed.refresh();
    expect(entries).toEqual([
      { kind: 'policy-change', revision: 1, source: 'gateway', before: null, after: { version: 1 } },
      { kind: 'policy-change', revision: 2, source: 'kept', before: { version: 1 }, after: { version: 2 } },
      { kind: 'policy-change', revision: 1, source: 'gateway', before: { version: 2 }, after: { version: 1 } },
    ]);
  });

  it('is recorded where it ends', async () => {
    const { governed, entries } = world([{}, { source: 'none', revision: null, document: null, tools: {} }]);
    await governed.refresh();
    await governed.refresh();
    expect(entries.at(-1)).toMatchObject({ revision: null, before: { version: 1 }, after: null });
    expect(governed.rules()).toEqual({ exclude: [], ask: [], allow: [] });
  });

  it('stays in force where the gateway does not answer any more', async () => {
    const { governed } = world([{ commands: 'gateway' }, new Error('The policy is not known.')]);
    await governed.refresh();
    await expect(governed.refresh()).rejects.toThrow('The policy is not known.');
    expect([texts(governed.rules().exclude), governed.commands()]).toEqual([['Fetch'], 'gateway']);
  });

  it('does not count where its change cannot be recorded', async () => {
    const { governed } = world([{}], true);
    await expect(governed.refresh()).rejects.toThrow('The disk is full.');
    expect(governed.rules().allow).toEqual([]);
  });

  it('says where commands run, and what the person has not seen yet', async () => {
    const { governed } = world([{ commands: 'gateway', notice: 'A kept policy is used.' }, {}]);
    expect(governed.commands()).toBe('workstation');
    expect(await governed.refresh()).toEqual(['A kept policy is used.']);
    expect(governed.commands()).toBe('gateway');
    expect(await governed.refresh()).toEqual([]);
    expect(governed.commands()).toBe('workstation');
  });
});

describe('a rule of a policy that cannot be read', () => {
  it.each(['', ' ', 'Bash(', 'Bash)', 'two words', 'Bash()', 'Bash(!x)'])(
    '%j excludes and asks, never allows',
    (text) => {
      const { exclude, ask, allow } = policyRules({ tools: { exclude: [text], ask: [text], allow: [text, 'Read'] } });
      expect(exclude).toEqual([{ tool: '*', pattern: null, text }]);
      expect(ask).toEqual(exclude);
      expect(texts(allow)).toEqual(['Read']);
    },
  );
});

describe('the rules of a command line', () => {
  it('keep their order, but for exclusions, which have none', () => {
    const { exclude, ordered } = optionRules([
      { option: '--allow', rule: 'Bash' },
      { option: '--exclude', rule: 'Fetch' },
      { option: '--ask', rule: ' Bash(git push *) ' },
      { option: '--allow', rule: 'mcp__files__*' },
    ]);
    expect(texts(exclude)).toEqual(['Fetch']);
    expect(ordered.map(({ decision, rule }) => `${decision} ${rule.text}`)).toEqual([
      'allow Bash',
      'ask Bash(git push *)',
      'allow mcp__files__*',
    ]);
  });

  it.each([
    ['--allow', '', /^--allow "" is empty: name a tool/],
    ['--ask', 'Bash(', /^--ask "Bash\(" is not a rule: write Tool or Tool\(pattern\)/],
    ['--exclude', 'Wirte', /^--exclude "Wirte" names no tool: tools are Read, List/],
    ['--exclude', 'Bash( )', /^--exclude "Bash\( \)" has an empty pattern: write Bash for every call/],
    ['--allow', 'Write(!secret)', /^--allow "Write\(!secret\)" must not begin its pattern with "!"/],
  ] as const)('that are wrong are refused by their option: %s %j', (option, rule, message) => {
    expect(() =>
      optionRules([
        { option: '--allow', rule: 'Read' },
        { option, rule },
      ]),
    ).toThrow(message);
  });
});
