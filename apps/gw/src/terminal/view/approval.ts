import { describeScope } from '../../agent/approval-scope.ts';
import type { PendingApproval } from '../state/state.ts';
import { type Line, span } from '../text/line.ts';
import { explicitText } from '../text/safe.ts';
import { wrapWords } from '../text/wrap.ts';

/** The question below the preview, which is on the scrollback already. */
export function approvalLines(approval: PendingApproval, columns: number, isOnly = true): Line[] {
  const { tool, target, reason, subAgent, preview } = approval;
  const [first = '', ...more] = explicitText(target).split('\n');
  // The command or the change stands right above; of a sub-agent, other calls may stand between.
  const isSame = preview?.kind === 'diff' || (preview?.kind === 'command' && preview.command === target);
  const isShown = isSame && subAgent === null && isOnly;
  const who = subAgent === null ? '' : ' (asked by a sub-agent)';
  const question: Line = [
    span('? ', { color: 'yellow', bold: true }),
    span(`Allow ${tool} `, { bold: true }),
    span(isShown ? 'as shown above' : `${first}${more.length > 0 ? ` … (${more.length + 1} lines)` : ''}`, {
      bold: true,
    }),
    span(`?${who}`, { bold: true }),
  ];
  const why: Line = [span(explicitText(reason).replaceAll('\n', ' '), { dim: true })];
  const indented = { rest: [span('  ')] };
  return [
    ...wrapWords(question, columns, indented).slice(0, 4),
    ...(reason === '' ? [] : wrapWords(why, columns, { first: [span('  ')], ...indented }).slice(0, 3)),
    ...wrapWords(choices(approval), columns, { first: [span('  ')], ...indented }),
  ];
}

/** The keys, with the rules that `a` and `p` save. */
function choices({ tool, wider = [], chosen }: PendingApproval): Line {
  const name = (rules: readonly string[] | undefined): string =>
    rules === undefined ? describeScope(tool) : explicitText(rules.join(', '));
  const next = wider[chosen === undefined ? 0 : wider.indexOf(chosen) + 1];
  return [
    ['y', 'yes'],
    ['a', `yes, and ${name(chosen)} again in this session`],
    ['p', 'yes, always in this project'],
    ...(wider.length === 0 ? [] : [['w', `instead for ${name(next)}`]]),
    ['n', 'no'],
    ['Esc', 'stop'],
    ['e', 'edit'],
  ].flatMap(([key = '', what = ''], index) => [
    span(index > 0 ? '  ' : ''),
    span(key, { bold: true, color: 'cyan' }),
    span(` ${what}`),
  ]);
}
