import { describe, expect, it } from 'vitest';
import { type Line, lineWidth, plainText } from '../text/line.ts';
import { approvalLines } from './frame.ts';
import type { PendingApproval } from './state.ts';

const shown = (lines: readonly Line[]): string => lines.map((each) => plainText(each).trimEnd()).join('\n');

describe('a permission request', () => {
  const approval = (change: Partial<PendingApproval> = {}): PendingApproval => ({
    id: 'p',
    call: '1',
    tool: 'Bash',
    target: 'npm test',
    reason: 'Bash asks by default.',
    arguments: '{}',
    preview: null,
    subAgent: null,
    ...change,
  });

  it('has the question, the reason and the keys, in a wide window', () => {
    expect(shown(approvalLines(approval(), 100))).toBe(
      `? Allow Bash npm test?
  Bash asks by default.
  y yes  a yes, and this exact call again in this session  p yes, always in this project  n no
  Esc stop  e edit`,
    );
  });

  it('keeps every key in a narrow window', () => {
    const rows = approvalLines(approval({ tool: 'Write', target: 'a.txt' }), 30);
    for (const row of rows) expect(lineWidth(row)).toBeLessThanOrEqual(30);
    expect(shown(rows).replaceAll(/\s+/g, ' ')).toContain(
      'y yes a yes, and any Write to this file again in this session p yes, always in this project n no Esc stop e edit',
    );
  });

  it('says how many lines a command has, and cuts one that is too long for the window', () => {
    expect(shown(approvalLines(approval({ target: 'one\ntwo\nthree' }), 80))).toContain(
      '? Allow Bash one … (3 lines)?',
    );
    const long = approvalLines(approval({ target: 'word '.repeat(500), reason: 'why '.repeat(500) }), 40);
    expect(long.length).toBeLessThan(15);
  });

  it('shows the rule that is saved, of the exact call or of the wider offer', () => {
    const wider = [['Bash(npm test)', 'Bash(npm test *)']];
    const flat = (one: Partial<PendingApproval>): string =>
      shown(approvalLines(approval(one), 90)).replaceAll(/\s+/g, ' ');
    expect(flat({ wider })).toContain('a yes, and this exact call again in this session p yes, always in this project');
    expect(flat({ wider })).toContain('w instead for Bash(npm test), Bash(npm test *) n no');
    expect(flat({ wider, chosen: wider[0] })).toContain('a yes, and Bash(npm test), Bash(npm test *) again in');
    expect(flat({ wider, chosen: wider[0] })).toContain('w instead for this exact call');
  });

  it('without a reason has none', () => {
    expect(shown(approvalLines(approval({ reason: '' }), 120)).split('\n')).toHaveLength(2);
  });
});
