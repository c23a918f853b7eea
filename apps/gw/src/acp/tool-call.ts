import { resolve } from 'node:path';
import type { ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import type { Preview } from '../agent/types.ts';
import { fenceText } from './fence-text.ts';

/** Characters of a result that the editor is sent; the model gets its own part. */
const MOST_CHARACTERS = 20_000;

const KINDS: Readonly<Record<string, ToolKind>> = {
  Read: 'read',
  List: 'read',
  BashOutput: 'read',
  Search: 'search',
  Write: 'edit',
  Edit: 'edit',
  MultiEdit: 'edit',
  Bash: 'execute',
  BashStop: 'execute',
  Fetch: 'fetch',
  Agent: 'think',
  Checklist: 'think',
};
const WITH_PATH = new Set(['Read', 'List', 'Search', 'Write', 'Edit', 'MultiEdit']);

/** How an editor shows a call: title, kind and the files it is about. */
export function headingOf(tool: string, target: string, cwd: string) {
  const locations: ToolCallLocation[] = WITH_PATH.has(tool) && target !== '' ? [{ path: resolve(cwd, target) }] : [];
  return {
    title: tool === 'Bash' ? target : `${tool} ${target}`.trim(),
    name: tool,
    kind: KINDS[tool] ?? ('other' as const),
    locations,
  };
}

/** What a call would do, or did. */
export function contentOf(preview: Preview, cwd: string): ToolCallContent[] {
  if (preview.kind === 'diff')
    return [{ type: 'diff', path: resolve(cwd, preview.path), oldText: preview.before, newText: preview.after }];
  if (preview.kind === 'command')
    return [textContent(fenceText(preview.command) + (preview.note === undefined ? '' : `\n${preview.note}`))];
  if (preview.kind === 'text') return [output(preview.text)];
  return [];
}

export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** Text of a tool, unchanged; of a long text only the end is shown. */
export function output(text: string): ToolCallContent {
  const left = text.length - MOST_CHARACTERS;
  if (left <= 0) return textContent(fenceText(text));
  return textContent(
    `${left} characters before this were left out.\n${fenceText(text.slice(-MOST_CHARACTERS).toWellFormed())}`,
  );
}
