import type { refractor } from 'refractor';
import { type Color, type Line, type Span, type Style, span } from '../text/line.ts';

/** Code as coloured lines; null where the language is not known. */
export type Highlight = (code: string, language: string) => Line[] | null;

type Node = ReturnType<typeof refractor.highlight>['children'][number];

const COLORS: Readonly<Record<string, Color>> = {
  keyword: 'magenta',
  atrule: 'magenta',
  important: 'magenta',
  selector: 'magenta',
  tag: 'magenta',
  builtin: 'cyan',
  'class-name': 'cyan',
  boolean: 'yellow',
  number: 'yellow',
  constant: 'yellow',
  symbol: 'yellow',
  string: 'green',
  char: 'green',
  regex: 'green',
  'attr-value': 'green',
  inserted: 'green',
  function: 'blue',
  property: 'blue',
  key: 'blue',
  'attr-name': 'blue',
  variable: 'red',
  deleted: 'red',
  comment: 'gray',
  prolog: 'gray',
  doctype: 'gray',
  cdata: 'gray',
};

/** Loads the highlighter, which takes some 20 ms: only where code is shown. */
export async function loadHighlight(): Promise<Highlight> {
  const [{ refractor: grammars }, { default: tsx }, { default: docker }, { default: toml }] = await Promise.all([
    import('refractor'),
    import('refractor/tsx'),
    import('refractor/docker'),
    import('refractor/toml'),
  ]);
  for (const grammar of [tsx, docker, toml]) grammars.register(grammar);
  return (code, language) => {
    const name = language.toLowerCase();
    if (!/^[\w+#-]+$/.test(name) || !grammars.registered(name)) return null;
    const lines: Span[][] = [[]];
    collect(grammars.highlight(code, name).children, {}, lines);
    return lines;
  };
}

function collect(nodes: readonly Node[], style: Style, lines: Span[][]): void {
  for (const node of nodes) {
    if (node.type === 'text') {
      for (const [index, part] of node.value.split('\n').entries()) {
        if (index > 0) lines.push([]);
        if (part !== '') lines.at(-1)?.push(span(part, style));
      }
    } else if (node.type === 'element') {
      const names = node.properties['className'];
      const color = (Array.isArray(names) ? names : []).map((name) => COLORS[name]).find(Boolean);
      collect(node.children, color === undefined ? style : { ...style, color }, lines);
    }
  }
}
