import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolDecisions } from './policy-run.ts';

/** The decision for each tool that a policy changes. */
const changed = (tools: Parameters<typeof toolDecisions>[0]): Record<string, string> => {
  const usual = toolDecisions({});
  return Object.fromEntries(
    Object.entries(toolDecisions(tools)).flatMap(([tool, { decision, rule }]) =>
      decision === usual[tool]?.decision ? [] : [[tool, `${decision} by ${rule}`]],
    ),
  );
};

describe('the decision about a tool', () => {
  it('is that of the contract without a policy: what changes or leaves this machine asks', () => {
    const asks = Object.entries(toolDecisions({})).filter(([, { decision }]) => decision === 'ask');
    expect(asks.map(([tool]) => tool)).toEqual(['Write', 'Edit', 'MultiEdit', 'Bash', 'Fetch']);
    expect(Object.values(toolDecisions({})).every(({ rule }) => rule === 'default')).toBe(true);
  });

  it.each<[string, Parameters<typeof toolDecisions>[0], Record<string, string>]>([
    [
      'excludes before it asks or allows',
      { exclude: ['Bash'], ask: ['Bash'], allow: ['Bash'] },
      { Bash: 'deny by exclude Bash' },
    ],
    [
      'asks before it allows',
      { ask: ['Read'], allow: ['Read', 'Write'] },
      { Read: 'ask by ask Read', Write: 'allow by allow Write' },
    ],
    [
      'excludes every tool',
      { exclude: ['*'] },
      Object.fromEntries(Object.keys(toolDecisions({})).map((tool) => [tool, 'deny by exclude *'])),
    ],
    ['knows other tools than these', { exclude: ['mcp__docs__find'] }, {}],
  ])('%s', (_, tools, expected) => {
    expect(changed(tools)).toEqual(expected);
  });

  it('does not change by a rule for some calls, which is listed', () => {
    const decided = toolDecisions({ exclude: ['Bash(rm *)'], ask: ['Read(secrets/**)'], allow: ['Bash(git status)'] });
    expect(changed({ exclude: ['Bash(rm *)'], ask: ['Read(secrets/**)'], allow: ['Bash(git status)'] })).toEqual({});
    expect(decided['Bash']?.patterns).toEqual(['exclude Bash(rm *)', 'allow Bash(git status)']);
    expect(decided['Read']?.patterns).toEqual(['ask Read(secrets/**)']);
    expect(decided['List']?.patterns).toEqual([]);
  });

  it('never becomes weaker by another exclusion', () => {
    const tool = fc.constantFrom('Read', 'Write', 'Bash', 'Fetch', 'Agent');
    const list = fc.array(tool, { maxLength: 4 });
    fc.assert(
      fc.property(list, list, list, tool, (exclude, ask, allow, more) => {
        const after = toolDecisions({ exclude: [...exclude, more], ask, allow });
        expect(after[more]?.decision).toBe('deny');
        for (const each of exclude) expect(after[each]?.decision).toBe('deny');
      }),
    );
  });
});
