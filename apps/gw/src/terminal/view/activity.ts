import { pluralize } from '../../process/pluralize.ts';
import { type Line, line, lineWidth, span, truncate } from '../text/line.ts';
import { safeLine, safeText } from '../text/safe.ts';
import type { RunningTool, UiState } from './state.ts';
import { tokens as tokenCount } from './status.ts';

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const OUTPUT_ROWS = 5;
const REASONING_ROWS = 2;

/** The current activity: reasoning, running calls with the end of their output, and the elapsed time. */
export function activityLines(state: UiState, columns: number, now: number): Line[] {
  if (state.activity === null) return [];
  const seconds = Math.max(0, Math.floor((now - state.activity.startedAt) / 1000));
  const reasoning = lastRows(state.reasoning, REASONING_ROWS).map((text) => line(text, { dim: true, italic: true }));
  // A question stands below, and what waits for its answer above.
  const shown = state.tools.filter(
    ({ parentCall, tool, announced, runs = false }) =>
      parentCall === undefined && tool !== 'AskQuestion' && (announced !== 'above' || runs),
  );
  const tools = shown.flatMap(({ tool, target, output, announced, doing, tokens }) => [
    ...(announced === 'no' || announced === 'above'
      ? [headingBefore(toolHeading(tool, target), subAgentNote(noteOf(tokens, doing)), columns)]
      : []),
    ...lastRows(output, OUTPUT_ROWS).map((text) => line(`  ${text}`, { dim: true })),
  ]);
  const waits = state.approvals.length > 0 || state.questions.length > 0;
  const label = waits ? 'Waiting for you' : state.status === '' ? state.activity.label : state.status;
  const working: Line = [
    span(`${SPINNER[state.tick % SPINNER.length] ?? ''} `, { color: 'cyan' }),
    span(safeLine(label)),
    span(` ${durationOf(seconds)} · Esc interrupts`, { dim: true }),
  ];
  return [...reasoning, ...tools, working].map((each) => truncate(each, columns));
}

function noteOf(tokens: number | undefined, doing: string | undefined) {
  return { ...(tokens === undefined ? {} : { tokens }), ...(doing === undefined ? {} : { doing }) };
}

/** What a sub-agent does now counts more than the end of its task. */
function headingBefore(heading: Line, note: string, columns: number): Line {
  const room = Math.max(Math.floor(columns / 2), columns - lineWidth(line(note)));
  return [...truncate(heading, room), span(note, { dim: true })];
}

/** `● Bash npm test`. A target of several lines shows its first. */
export function toolHeading(tool: string, target: string): Line {
  const [first = '', ...more] = safeText(target).split('\n');
  const rest = more.length === 0 ? [] : [span(' …', { dim: true })];
  return [
    span('● ', { color: 'cyan' }),
    span(safeLine(tool), { bold: true }),
    span(first === '' ? '' : ` ${first}`),
    ...rest,
  ];
}

/** What a sub-agent has used and does: ` · 3 calls · 1.2k tokens · Read a.txt`. */
export function subAgentNote(tool: Partial<Pick<RunningTool, 'calls' | 'tokens' | 'doing'>> | undefined): string {
  const { calls, tokens, doing } = tool ?? {};
  return [
    calls === undefined ? '' : ` · ${pluralize(calls, 'call')}`,
    tokens === undefined ? '' : ` · ${tokenCount(tokens)} tokens`,
    calls !== undefined || doing === undefined ? '' : ` · ${doing}`,
  ].join('');
}

export function durationOf(seconds: number): string {
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}

function lastRows(text: string, most: number): string[] {
  if (text === '') return [];
  return safeText(text.slice(-2000)).trimEnd().split('\n').slice(-most);
}
