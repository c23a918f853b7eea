import { isSummary } from '../../agent/rewind.ts';
import { textOf } from '../../agent/state.ts';
import type { Json, Message } from '../../agent/types.ts';
import { BLANK, type Line, line, type Style, span } from '../text/line.ts';
import { safeText } from '../text/safe.ts';
import { wrapWords } from '../text/wrap.ts';
import { type App, columnsOf, hint } from './app.ts';

/** Lines of one result. */
const MOST_LINES = 2000;

/** Ctrl-O: the whole conversation with arguments, results, thinking and times. */
export function showTranscript(app: App): void {
  if (!app.isOpen()) {
    hint(app, 'There is no transcript yet.');
    return;
  }
  const { messages } = app.session().state;
  const columns = columnsOf(app);
  const lines = messages.flatMap((message) => linesOf(message, columns, app.state.durations));
  const shown = lines.length === 0 ? [line('Nothing was said yet.', { dim: true })] : lines;
  if (app.device.screenReader || app.device.isDumb === true) {
    app.screen.print(shown);
    return;
  }
  const height = app.device.size().rows - 2;
  app.state.transcript = { lines: shown, top: Math.max(0, shown.length - height) };
}

function linesOf(message: Message, columns: number, durations: ReadonlyMap<string, number>): Line[] {
  const wrapped = (text: string, style: Style = {}, indent = ''): Line[] =>
    safeText(text)
      .split('\n')
      .flatMap((each) => wrapWords(line(each, style), columns, { first: [span(indent)], rest: [span(indent)] }));
  switch (message.role) {
    case 'user':
      return [BLANK, ...wrapped(`> ${textOf(message)}`, isSummary(message) ? { dim: true } : { bold: true })];
    case 'assistant': {
      const thinking = thinkingOf(message.members);
      return [
        ...(thinking === '' ? [] : [BLANK, ...wrapped(thinking, { dim: true, italic: true })]),
        ...(message.content === '' ? [] : [BLANK, ...wrapped(message.content)]),
        ...(message.toolCalls ?? []).flatMap((call) => [
          BLANK,
          [
            span('● ', { color: 'cyan' as const }),
            span(safeText(call.name), { bold: true }),
            span(durations.has(call.id) ? ` · ${((durations.get(call.id) ?? 0) / 1000).toFixed(1)} s` : '', {
              dim: true,
            }),
          ],
          ...wrapped(argumentsOf(call.arguments), {}, '  '),
        ]),
      ];
    }
    case 'tool': {
      const rows = message.content.split('\n');
      const left = rows.length - MOST_LINES;
      const how =
        message.outcome === undefined || message.outcome === 'succeeded'
          ? []
          : [line(`  ${message.outcome}`, { color: 'red' })];
      return [
        ...how,
        ...wrapped(rows.slice(0, MOST_LINES).join('\n'), { dim: true }, '  '),
        ...(left > 0 ? [line(`  … ${left} more lines`, { dim: true })] : []),
      ];
    }
    default:
      return [];
  }
}

function argumentsOf(text: string): string {
  try {
    const value = JSON.parse(text) as Readonly<Record<string, Json>>;
    return Object.entries(value)
      .map(([name, one]) => `${name}: ${typeof one === 'string' ? one : JSON.stringify(one)}`)
      .join('\n');
  } catch {
    return text;
  }
}

function thinkingOf(members: Extract<Message, { role: 'assistant' }>['members']): string {
  const { reasoning_content: content, reasoning } = members ?? {};
  return typeof content === 'string' ? content.trim() : typeof reasoning === 'string' ? reasoning.trim() : '';
}
