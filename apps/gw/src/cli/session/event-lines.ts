import type { AgentEvent } from '../../agent/types.ts';

/** The events of `--format stream-json`, one JSON object a line; the last is the envelope of `--format json`. */
export function createEventLines(session: { readonly id: string; readonly model: string }, now: () => Date) {
  const lineOf = (type: string, members: object): string =>
    `${JSON.stringify({ version: 1, type, at: now().toISOString(), ...members })}\n`;
  /** Lines that wait for the first one, which names the tools: they are known with the first call of the model. */
  let waiting: string[] | null = [];
  const begin = (tools: readonly string[]): string => {
    const lines = [lineOf('session', { ...session, tools }), ...(waiting ?? [])];
    waiting = null;
    return lines.join('');
  };
  return {
    /** What is to be written of an event; empty where nothing is. */
    event(event: AgentEvent): string {
      if (event.type === 'tools-offered') return waiting === null ? '' : begin(event.names);
      const line = lineFor(event, lineOf);
      if (waiting === null) return line;
      if (line !== '') waiting.push(line);
      return '';
    },
    result: (envelope: object): string => (waiting === null ? '' : begin([])) + lineOf('result', envelope),
  };
}

function lineFor(event: AgentEvent, lineOf: (type: string, members: object) => string): string {
  switch (event.type) {
    case 'text':
      return lineOf('text', { text: event.text });
    case 'reasoning':
      return lineOf('thinking', { text: event.text });
    case 'tool-proposed':
      return toolLine(event, 'proposed');
    case 'tool-started':
      return toolLine(event, 'running');
    case 'tool-finished':
      return toolLine(event, event.outcome);
    case 'usage':
      return lineOf('usage', { ...event.total, contextTokens: event.contextTokens, cost: event.cost });
    case 'notice':
      return lineOf('notice', { level: event.level, text: event.text });
    case 'compacted':
      return lineOf('notice', {
        level: 'info',
        text: `${event.dropped} earlier messages were summarized to make room.`,
      });
    default:
      return '';
  }

  function toolLine(
    of: { readonly id: string; readonly tool: string; readonly target: string; readonly authorizedBy?: string },
    state: string,
  ): string {
    const by = of.authorizedBy === undefined ? {} : { authorizedBy: of.authorizedBy };
    return lineOf('tool', { id: of.id, tool: of.tool, target: of.target, state, ...by });
  }
}
