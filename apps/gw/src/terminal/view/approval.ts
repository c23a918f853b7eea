import { describeScope } from '../../agent/approval-scope.ts';
import type { PendingApproval } from '../state/state.ts';
import { type Line, line, lineWidth, span, truncate } from '../text/line.ts';
import { explicitText } from '../text/safe.ts';
import { wrapWords } from '../text/wrap.ts';

/** The question below the preview, which is on the scrollback already. */
export function approvalLines(
  approval: PendingApproval,
  columns: number,
  { isOnly = true, isLow = false }: { readonly isOnly?: boolean; readonly isLow?: boolean } = {},
): Line[] {
  const { tool, target, reason, subAgent, preview, more = [] } = approval;
  const [first = '', ...lines] = explicitText(target).split('\n');
  // The command or the change stands right above; of a sub-agent, other calls may stand between.
  const isSame = preview?.kind === 'diff' || (preview?.kind === 'command' && preview.command === target);
  const isShown = isSame && subAgent === null && isOnly;
  const of = approval.task === undefined ? '' : `: ${explicitText(approval.task)}`;
  const who = subAgent === null ? '' : ` (asked by a sub-agent${of})`;
  const question: Line = [
    span('? ', { color: 'yellow', bold: true }),
    span(`Allow ${tool} `, { bold: true }),
    span(isShown ? 'as shown above' : `${first}${lines.length > 0 ? ` … (${lines.length + 1} lines)` : ''}`, {
      bold: true,
    }),
    span(`?${who}`, { bold: true }),
  ];
  // Without a rule about it, the question says it all.
  const isPlain = reason === `${tool} needs an approval.`;
  const why: Line = [span(explicitText(reason).replaceAll('\n', ' '), { dim: true })];
  const indented = { rest: [span('  ')] };
  const asked =
    more.length === 0 ? wrapWords(question, columns, indented).slice(0, 4) : togetherLines(approval, columns, isLow);
  return [
    ...asked,
    ...(reason === '' || isPlain ? [] : wrapWords(why, columns, { first: [span('  ')], ...indented }).slice(0, 3)),
    ...choiceLines(choices(approval, isLow), columns),
  ];
}

const TOGETHER = [
  ['y', 'yes, all'],
  ['o', 'one by one'],
  ['n', 'no'],
  ['Esc', 'stop'],
];

/** Calls of one answer, which stand above with what they do. They are listed where some may have scrolled away. */
const MOST_LISTED = 6;
function togetherLines({ tool, target, preview, more = [] }: PendingApproval, columns: number, isLow: boolean): Line[] {
  const calls = [{ tool, target, preview }, ...more];
  const question = span('? ', { color: 'yellow', bold: true });
  if (!isLow && calls.length <= MOST_LISTED && calls.every((each) => each.preview?.kind === 'command'))
    return [[question, span(`Allow these ${calls.length} calls as shown above?`, { bold: true })]];
  const left = calls.length - MOST_LISTED;
  const row = (each: (typeof calls)[number]): Line =>
    truncate(line(`    ${each.tool} ${explicitText(each.target.split('\n')[0] ?? '')}`), columns);
  return [
    [question, span(`Allow these ${calls.length} calls?`, { bold: true })],
    ...calls.slice(0, MOST_LISTED).map(row),
    ...(left > 0 ? [truncate(line(`    and ${left} more, shown above`, { dim: true }), columns)] : []),
  ];
}

/** The keys with what they do, and the rules that `a` and `p` save. */
function choices({ tool, wider = [], chosen, more = [] }: PendingApproval, isLow: boolean): readonly Line[] {
  const name = (rules: readonly string[] | undefined): string =>
    rules === undefined ? describeScope(tool) : explicitText(rules.join(', '));
  const next = wider[chosen === undefined ? 0 : wider.indexOf(chosen) + 1];
  const keys =
    more.length > 0
      ? TOGETHER
      : [
          ['y', 'yes'],
          // In a low window, what is asked about counts more than whole sentences.
          ['a', isLow && chosen === undefined ? 'in this session' : `yes, and ${name(chosen)} again in this session`],
          ['p', isLow ? 'in this project' : 'yes, always in this project'],
          ...(wider.length === 0 ? [] : [['w', `instead for ${name(next)}`]]),
          ['n', 'no'],
          ['Esc', 'stop'],
          ['e', 'edit'],
        ];
  return keys.map(([key = '', what = '']) => [span(key, { bold: true, color: 'cyan' }), span(` ${what}`)]);
}

/** As many choices on a row as fit: none is divided unless it is wider than the window. */
function choiceLines(given: readonly Line[], columns: number): Line[] {
  const rows: Line[] = [];
  for (const choice of given) {
    const row = rows.at(-1);
    if (row === undefined || lineWidth(row) + 2 + lineWidth(choice) > columns) rows.push([span('  '), ...choice]);
    else rows[rows.length - 1] = [...row, span('  '), ...choice];
  }
  return rows.flatMap((row) => wrapWords(row, columns, { rest: [span('    ')] }));
}
