import { describe, expect, it } from 'vitest';
import { type PromptFacts, systemPrompt } from './system-prompt.ts';

const FACTS: PromptFacts = {
  project: '/srv/shop',
  cwd: '/srv/shop/src',
  repository: true,
  platform: 'linux',
  today: '2026-11-21',
  instructions: [
    { source: 'AGENTS.md', text: 'Use tabs.' },
    { source: '.gateway/rules/tests.md', text: 'Test SECRET.' },
  ],
  rules: ['Be brief.', 'Two lines:\nand SECRET.'],
};
const mask = (text: string): string => text.replaceAll('SECRET', '***');
const prompt = (
  facts: Partial<PromptFacts> = {},
  mode: Parameters<typeof systemPrompt>[1] = 'normal',
  commands: 'workstation' | 'gateway' = 'workstation',
): string => systemPrompt({ ...FACTS, ...facts }, mode, commands, mask);

describe('what the model reads before the conversation', () => {
  it('names the project, the directory, the system and the day', () => {
    expect(prompt()).toContain(
      'Project: /srv/shop (a git repository)\nWorking directory: /srv/shop/src\nSystem: linux\nDate: 2026-11-21',
    );
    expect(prompt({ repository: false })).toContain('Project: /srv/shop\n');
  });

  it('has the instructions in their order, each with its source, and the rules behind them', () => {
    const text = prompt();
    const places = [
      'Instructions from AGENTS.md:\nUse tabs.',
      'Instructions from .gateway/rules/tests.md:',
      'Rules:\n',
    ];
    const found = places.map((one) => text.indexOf(one));
    expect(found.every((at) => at > 0)).toBe(true);
    expect(found).toEqual(found.toSorted((one, other) => one - other));
  });

  it('keeps the lines of one rule together', () => {
    expect(prompt()).toContain('Rules:\n- Be brief.\n- Two lines:\n  and ***.');
  });

  it('contains no secret of an instruction, a rule or a path', () => {
    expect(prompt({ cwd: '/work/SECRET', project: '/work/SECRET' })).not.toContain('SECRET');
  });

  it('says nothing about rules where there are none', () => {
    expect(prompt({ rules: [], instructions: [] })).not.toMatch(/Rules:|Instructions from/);
  });

  it('says in plan mode alone that nothing may be changed', () => {
    expect(prompt({}, 'plan')).toContain('Plan mode: nothing may be changed.');
    for (const mode of ['normal', 'auto'] as const) expect(prompt({}, mode)).not.toContain('Plan mode');
  });

  it('says where Bash runs if that is not the project', () => {
    expect(prompt({}, 'normal', 'gateway')).toContain('Bash runs on the gateway, not in the project');
    expect(prompt()).not.toContain('on the gateway');
  });
});
