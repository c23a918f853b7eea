import { whyDenied } from '../../agent/approval-words.ts';
import { isSummary, messageText } from '../../agent/state.ts';
import type { Message, Preview, ToolCall, TurnOutcome } from '../../agent/types/index.ts';
import { pluralize } from '../../process/pluralize.ts';
import type { BlockOptions } from '../markdown/blocks.ts';
import { createMarkdownStream, type Lexer } from '../markdown/stream.ts';
import { BLANK, type Line, line, lineWidth, type Style, span, truncate } from '../text/line.ts';
import { explicitText, safeLine, safeText } from '../text/safe.ts';
import { wrapWords } from '../text/wrap.ts';
import { checklistLines } from '../view/transcript.ts';
import type { Libraries } from './libraries.ts';

/** Lines of a result that are shown; the model gets all of it. */
const RESULT_ROWS = 8;
const ERROR_ROWS = 4;
/** Rows of a change that are shown before it is approved, and after one that needed no approval. */
const APPROVAL_ROWS = 400;
const DISPLAY_ROWS = 40;

/** A message of the user as it stays above. */
export function userLines(message: string, columns: number): Line[] {
  return safeText(message)
    .split('\n')
    .flatMap((each, index) =>
      wrapWords(line(each, { bold: true }), columns, {
        first: [span(index === 0 ? '> ' : '  ', { color: 'cyan', bold: true })],
        rest: [span('  ')],
      }),
    );
}

/** What a call will do, for a person who decides: every omission is marked. */
export function previewLines(preview: Preview, columns: number, { loaded }: Libraries, most = APPROVAL_ROWS): Line[] {
  switch (preview.kind) {
    case 'diff':
      return loaded.diff?.(preview, columns, most) ?? [];
    case 'command': {
      const note = preview.note === undefined ? [] : prefixLines(safeText(preview.note), columns, '', { dim: true });
      return [...prefixLines(explicitText(preview.command), columns, '$ ', {}), ...note];
    }
    case 'checklist':
      return checklistLines(preview.items, columns);
    default:
      return cut(prefixLines(explicitText(preview.text), columns, '', {}), most);
  }
}

/** What a call has given: a change as a diff, of anything else the end. */
export function resultLines(
  outcome: 'succeeded' | 'failed' | 'denied',
  content: string,
  display: Preview | undefined,
  columns: number,
  libraries: Libraries,
): Line[] {
  if (outcome === 'succeeded' && display !== undefined && display.kind !== 'command')
    return indent(previewLines(display, columns - 2, libraries, DISPLAY_ROWS));
  const style: Style = outcome === 'succeeded' ? { dim: true } : { color: 'red' };
  // The details for the model are of no use to the person.
  const failed = outcome === 'failed' && display?.kind === 'text' ? display.text : content;
  const reason = outcome === 'denied' ? whyDenied(content) : failed;
  const text = safeText(reason).trim();
  const rows = text === '' ? [] : text.split('\n');
  if (outcome !== 'succeeded') {
    const mark = outcome === 'denied' ? 'Denied: ' : 'Failed: ';
    const kept = failureRows(rows);
    return indent(cut(prefixLines(mark + kept.join('\n'), columns - 2, '', style), ERROR_ROWS + RESULT_ROWS + 4));
  }
  const left = rows.length - RESULT_ROWS;
  const shown = left > 0 ? rows.slice(-RESULT_ROWS) : rows;
  const more = left > 0 ? [line(`… ${pluralize(left, 'line')} above`, { dim: true })] : [];
  // A long line, a minified file for instance, is cut: the model has it whole.
  const lines = shown.map((each) => truncate(line(each, style), columns - 2));
  return indent([...more, ...lines]);
}

/** A call that the person changed before it runs. */
export function changedLines(tool: string, target: string, columns: number): Line[] {
  return [
    line(`You changed the call. ${safeText(tool)} runs:`, { dim: true }),
    ...prefixLines(explicitText(target), columns, '$ ', {}),
  ];
}

/** Languages name their errors in one word (`TypeError`); test programs mark a failure with a sign, or with `not ok`. */
const NAMES_A_FAULT =
  /(?:error|exception)\b|\b(?:fail(?:ed|ure|s)?|fatal|panic|traceback|cannot|not found|denied)\b|^\s*not ok\b|[\u2716-\u2718\u00d7]/i;

/** Of a long failure: its first rows, rows that name a fault, and its end. */
function failureRows(rows: readonly string[]): readonly string[] {
  if (rows.length <= ERROR_ROWS + RESULT_ROWS) return rows;
  const tail = rows.length - RESULT_ROWS;
  const head = rows.slice(0, ERROR_ROWS / 2);
  const faults = rows
    .slice(head.length, tail)
    .filter((row) => NAMES_A_FAULT.test(row))
    .slice(0, ERROR_ROWS / 2);
  const left = tail - head.length - faults.length;
  return [...head, ...faults, `… ${pluralize(left, 'line')} before the end: Ctrl-O`, ...rows.slice(tail)];
}

/** How a turn ended, where that is not with its answer. */
export function outcomeLines({ status, error }: TurnOutcome, columns: number): Line[] {
  if (status === 'completed') return [];
  if (status === 'interrupted') return [line('Interrupted.', { dim: true })];
  const mark = status === 'refused' ? 'The gateway refused: ' : 'Failed: ';
  return prefixLines(mark + safeText(error?.message ?? 'no reason was given.'), columns, '', { color: 'red' });
}

/** A conversation that is resumed, as it was shown when it was written; calls with what they were about and how they ended. */
export function conversationLines(messages: readonly Message[], lexer: Lexer, options: BlockOptions): Line[] {
  return messages.flatMap((message): Line[] => {
    if (isSummary(message))
      return [BLANK, ...prefixLines(safeText(messageText(message)), options.columns, '', { dim: true })];
    if (message.role === 'user') return [BLANK, ...userLines(textOfContent(message.content), options.columns)];
    if (message.role !== 'assistant') return [];
    const stream = createMarkdownStream(lexer);
    stream.append(message.content);
    const answer = stream.end(options);
    const calls = (message.toolCalls ?? []).map((call) =>
      callLine(
        `● ${safeText(call.name)} ${safeLine(subjectOf(call))}`.trimEnd(),
        endOf(call, messages),
        options.columns,
      ),
    );
    return [...(answer.length > 0 ? [BLANK, ...answer] : []), ...(calls.length > 0 ? [BLANK, ...calls] : [])];
  });
}

/** How the call ended stays in sight where the rest is too long. */
function callLine(call: string, end: string, columns: number): Line {
  const room = Math.max(10, columns - lineWidth(line(end)));
  return [...truncate(line(call, { dim: true }), room), span(end, { dim: true })];
}

/** Letters of what a call is about, and of the task of a sub-agent. */
const SUBJECT_LETTERS = 200;
const TASK_LETTERS = 60;

/** What a call is about, for a person: a search names its pattern, a sub-agent its task. Empty where nothing names it. */
export function subjectOf({ name, arguments: text }: ToolCall): string {
  let values: Readonly<Record<string, unknown>>;
  try {
    values = { ...(JSON.parse(text) as Readonly<Record<string, unknown>>) };
  } catch {
    return '';
  }
  const textOf = (member: string): string => {
    const value = values[member];
    return typeof value === 'string' ? value : '';
  };
  if (name === 'Search')
    return [textOf('pattern'), textOf('glob'), textOf('path')].filter((one) => one !== '').join(' in ');
  if (name === 'Agent') {
    const [task = ''] = textOf('prompt').trim().split('\n');
    return [textOf('agent'), short(task, TASK_LETTERS)].filter((one) => one !== '').join(': ');
  }
  // Nobody knows what the members of a server's tool mean: all of them are named.
  if (name.startsWith('mcp__'))
    return short(
      Object.entries(values)
        .map(([member, value]) => `${member}: ${JSON.stringify(value)}`)
        .join(', '),
      SUBJECT_LETTERS,
    );
  const named = ['command', 'file_path', 'path', 'pattern', 'url', 'query', 'name'].map(textOf);
  const others = Object.values(values).filter((one) => typeof one === 'string');
  return ([...named, ...others].find((one) => one !== '') ?? '').slice(0, SUBJECT_LETTERS);
}

const short = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text;

/** How a call ended: of a session of an earlier version, only that it did. */
function endOf({ id }: ToolCall, messages: readonly Message[]): string {
  const result = messages.find((one) => one.role === 'tool' && one.callId === id);
  if (result?.role !== 'tool') return ' · no result';
  const { outcome, content } = result;
  const code = /\[(exit code \d+)[^\]]*\]$/.exec(content)?.[1];
  return outcome === undefined || outcome === 'succeeded'
    ? code === undefined
      ? ' ✓'
      : ` · ${code}`
    : ` · ${outcome}${code === undefined ? '' : `, ${code}`}`;
}

export function textOfContent(content: Extract<Message, { role: 'user' }>['content']): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '[Image]')).join('\n');
}

function prefixLines(text: string, columns: number, prefix: string, style: Style): Line[] {
  return text.split('\n').flatMap((each, index) =>
    wrapWords(line(each, style), columns, {
      first: [span(index === 0 ? prefix : ' '.repeat(prefix.length), { dim: true })],
      rest: [span(' '.repeat(prefix.length + (prefix === '' ? 0 : 2)))],
    }),
  );
}
function indent(lines: readonly Line[]): Line[] {
  return lines.map((each) => [span('  '), ...each]);
}
function cut(lines: readonly Line[], most: number): Line[] {
  if (lines.length <= most) return [...lines];
  return [...lines.slice(0, most), line(`… ${lines.length - most} more lines`, { dim: true })];
}
