import type { Graph } from './graph.ts';

/**
 * A Mermaid flowchart. Ids are numbers, for Mermaid reserves words such as `end`; labels are quoted, with entities for
 * the characters that Mermaid interprets.
 * @param marked nodes to be highlighted: what a change touches.
 */
export function mermaidOf({ nodes, edges }: Graph, marked: ReadonlySet<string>): string {
  const short = new Map(nodes.map(({ id }, at) => [id, `n${at}`]));
  const lines = nodes.map(({ id, label }) => `  ${short.get(id)}["${escapeLabel(label)}"]`);
  for (const { from, to, count } of edges) {
    lines.push(`  ${short.get(from)} -->${count > 1 ? `|${count}|` : ''} ${short.get(to)}`);
  }
  const changed = nodes.filter(({ id }) => marked.has(id)).map(({ id }) => short.get(id));
  if (changed.length > 0) lines.push('  classDef changed stroke-width:3px', `  class ${changed.join(',')} changed`);
  return ['flowchart LR', ...lines, ''].join('\n');
}

function escapeLabel(label: string): string {
  return label.replaceAll(/[#"<>&`\\[\]{}|]|[\p{Cc}]/gu, (letter) => `#${letter.codePointAt(0)};`);
}
