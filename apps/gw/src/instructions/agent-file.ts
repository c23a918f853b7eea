import * as z from 'zod';
import { checkYaml } from '../configuration/check.ts';
import type { Fault } from '../configuration/place.ts';
import { text, texts } from '../configuration/shape.ts';
import { readYaml } from '../configuration/yaml-text.ts';

const list = z.union([text, texts], { error: 'must be a text or a list of texts' });

/** What stands between the two lines `---` at the head of an agent file. */
const frontMatterShape = z.strictObject(
  {
    name: text,
    description: text.exactOptional(),
    model: text.exactOptional(),
    tools: list.exactOptional(),
    rules: list.exactOptional(),
  },
  { error: 'must be members, such as name: reviewer' },
);
const MEMBERS = Object.keys(frontMatterShape.shape);

/** An agent: what its file says, or what is wrong with it. */
export interface AgentFile {
  readonly name: string | null;
  /** The model it asks for, by its readable name or its identifier. */
  readonly model: string | null;
  readonly faults: readonly Fault[];
}

/** Reads an agent file: front matter, then the prompt. Line ends of every system are taken. */
export function readAgentFile(file: string): AgentFile {
  const lines = file.split(/\r\n|\n|\r/);
  const says = (line: number, sentence: string, mend: string): AgentFile => ({
    name: null,
    model: null,
    faults: [{ line, column: 1, path: null, says: sentence, mend }],
  });
  if (lines[0]?.trimEnd() !== '---')
    return says(1, 'It has no front matter.', 'Begin the file with ---, name: …, and --- again, each on its line.');
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---');
  if (end < 0) return says(1, 'Its front matter has no end.', 'Put a line --- before the prompt.');
  const yaml = readYaml(lines.slice(1, end).join('\n'), 1);
  const { value, faults } = checkYaml(yaml, frontMatterShape, MEMBERS);
  const empty =
    lines
      .slice(end + 1)
      .join('')
      .trim() === '';
  const missing = { line: end + 1, column: 1, path: null, says: 'It has no prompt.', mend: 'Write it below the ---.' };
  return { name: value?.name ?? null, model: value?.model ?? null, faults: empty ? [...faults, missing] : faults };
}
