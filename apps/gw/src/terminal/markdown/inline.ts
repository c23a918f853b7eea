import type { Token, Tokens } from 'marked';
import { type Line, type Span, type Style, span } from '../text/line.ts';
import { safeLine } from '../text/safe.ts';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Marks within a line: bold, italic, code, links. The address of a link is always shown: a text can say anything. */
export function inlineLine(tokens: readonly Token[], style: Style = {}): Line {
  return tokens.flatMap((token) => ofToken(token as Tokens.Generic, style));
}

function ofToken(token: Tokens.Generic, style: Style): Span[] {
  const inner = (more: Style): Span[] => [...inlineLine(token.tokens ?? [], { ...style, ...more })];
  switch (token.type) {
    case 'strong':
      return inner({ bold: true });
    case 'em':
      return inner({ italic: true });
    case 'del':
      return inner({ strike: true });
    case 'codespan':
      return [span(oneLine(String(token['text'])), { ...style, color: 'cyan' })];
    case 'link': {
      const shown = inner({ underline: true });
      const text = shown.map((each) => each.text).join('');
      const address = String(token['href']);
      const same = text === address || `mailto:${text}` === address;
      return same ? shown : [...shown, span(` (${address})`, { ...style, dim: true })];
    }
    case 'image':
      return [span(`${String(token['text'])} (${String(token['href'])})`, { ...style, dim: true })];
    case 'br':
      return [span('\n', style)];
    case 'text':
    case 'paragraph':
    case 'heading':
      return token.tokens === undefined ? [span(decodeEntities(String(token['text'])), style)] : inner({});
    case 'escape':
      return [span(String(token['text']), style)];
    case 'checkbox':
      return [];
    default:
      return [span(token.raw, style)];
  }
}

/** Splits a line at line breaks. A single line end within a paragraph is a blank. */
export function splitLines(spans: Line): Line[] {
  const lines: Span[][] = [[]];
  for (const { text, style } of spans) {
    if (text === '\n') {
      lines.push([]);
      continue;
    }
    lines.at(-1)?.push(span(oneLine(text), style));
  }
  return lines;
}

function oneLine(text: string): string {
  return text.replaceAll('\n', ' ');
}

/** The lexer decodes entities that are numbers, also those of control characters: `&#27;` must not reach the terminal. */
function decodeEntities(text: string): string {
  return safeLine(text).replaceAll(/&([a-z]{2,6});/gi, (whole, name: string) => ENTITIES[name] ?? whole);
}
