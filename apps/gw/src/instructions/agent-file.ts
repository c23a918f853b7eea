import type { Fault } from '../configuration/position.ts';
import { checkYaml, text, texts } from '../configuration/shape.ts';
import { readYaml } from '../configuration/yaml-text.ts';
import * as s from '../schema/index.ts';

const list = s.union([text, texts], 'must be text or a list of strings');

/** The text between the two lines `---` at the head of an agent file. */
const frontMatterShape = s.strictObject(
  {
    name: text,
    description: text.optional(),
    model: text.optional(),
    tools: list.optional(),
    rules: list.optional(),
  },
  'members, such as name: reviewer',
);
const MEMBERS = Object.keys(frontMatterShape.shape);

/** An agent: what its file says, or what is wrong with it. */
export interface AgentFile {
  readonly name: string | null;
  /** The model it asks for, by its readable name or its identifier. */
  readonly model: string | null;
  readonly faults: readonly Fault[];
}

/** An agent that can be loaded. */
export interface Agent {
  readonly name: string;
  readonly description: string | null;
  readonly model: string | null;
  /** The tools it is offered; null offers all. */
  readonly tools: readonly string[] | null;
  /** Rules as given: files or texts. */
  readonly rules: readonly string[];
  readonly prompt: string;
}

/** Parses an agent file: front matter, then the prompt. All line ends are accepted. */
export function readAgentFile(file: string): AgentFile {
  const { name, model, faults } = readAgent(file);
  return { name, model, faults };
}

/** The same with everything that a session needs. `agent` is null where something is wrong with the file. */
export function readAgent(file: string): AgentFile & { readonly agent: Agent | null } {
  const lines = file.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  const faultAt = (line: number, sentence: string, fix: string) => ({
    name: null,
    model: null,
    agent: null,
    faults: [{ line, column: 1, path: null, message: sentence, fix }],
  });
  if (lines[0]?.trimEnd() !== '---')
    return faultAt(1, 'It has no front matter.', 'Begin the file with ---, name: …, and --- again, each on its line.');
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---');
  if (end < 0) return faultAt(1, 'Its front matter has no end.', 'Put a line --- before the prompt.');
  const members = lines.slice(1, end).join('\n');
  if (members.trim() === '')
    return faultAt(2, 'Its front matter is empty.', 'Write members there, such as name: reviewer.');
  const yaml = readYaml(members, 1);
  const { value, faults } = checkYaml(yaml, frontMatterShape, MEMBERS);
  const prompt = lines
    .slice(end + 1)
    .join('\n')
    .trim();
  const missing = {
    line: end + 1,
    column: 1,
    path: null,
    message: 'It has no prompt.',
    fix: 'Write it below the ---.',
  };
  const all = prompt === '' ? [...faults, missing] : faults;
  const agent =
    value === null || all.length > 0
      ? null
      : {
          name: value.name,
          description: value.description ?? null,
          model: value.model ?? null,
          tools: value.tools === undefined ? null : listOf(value.tools),
          rules: value.rules === undefined ? [] : typeof value.rules === 'string' ? [value.rules] : value.rules,
          prompt,
        };
  return { name: value?.name ?? null, model: value?.model ?? null, faults: all, agent };
}

/** Names in a list, or in a text with commas between. */
function listOf(value: string | readonly string[]): readonly string[] {
  const names = typeof value === 'string' ? value.split(',') : value;
  return names.map((name) => name.trim()).filter((name) => name !== '');
}
