import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { HighlightStyle, type StreamParser } from '@codemirror/language';
import { permissionLabel, permissionNames, roleLabel, roleNames } from '@gateway/contract/labels';
import { tags } from '@lezer/highlight';

/** Reads names that begin with a text, for completions: of endpoints, subjects or projects. */
export type ReadNames = (type: string, text: string) => Promise<readonly string[]>;

const KEYWORDS = [
  'forbid',
  'permit',
  'when',
  'unless',
  'if',
  'then',
  'else',
  'in',
  'is',
  'has',
  'like',
  'true',
  'false',
];
const VARIABLES = ['principal', 'action', 'resource', 'context'];
const TYPES = ['Subject', 'Role', 'Endpoint', 'Project', 'Instance', 'Action'];
/** What a policy may read of a call, and of an endpoint (`docs/policy.cedarschema`). */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  context: ['session', 'method', 'path', 'sourceAddress', 'time'],
  resource: ['model', 'provider'],
};
const FUNCTIONS = ['ip', 'datetime', 'duration', 'decimal'];
const KEYWORD = new RegExp(`^(?:${KEYWORDS.join('|')})\\b`);
const VARIABLE = new RegExp(`^(?:${VARIABLES.join('|')})\\b`);

/** Cedar, token by token: enough to colour it. The console checks the text. */
export const CEDAR: StreamParser<unknown> = {
  name: 'cedar',
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^\/\/.*/)) return 'comment';
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
    if (stream.match(/^@\w*/)) return 'meta';
    if (stream.match(/^\d+/)) return 'number';
    if (stream.match(KEYWORD)) return 'keyword';
    if (stream.match(VARIABLE)) return 'variableName';
    if (stream.match(/^[A-Za-z_]\w*(?=\s*::)/)) return 'typeName';
    if (!stream.match(/^\w+/)) stream.next();
    return null;
  },
  languageData: { commentTokens: { line: '//' }, closeBrackets: { brackets: ['(', '[', '{', '"'] } },
};

/** The colours are variables of the theme, in which both schemes have enough contrast. */
export const CEDAR_COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)', fontWeight: '600' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: tags.number, color: 'var(--code-string)' },
  { tag: [tags.typeName, tags.meta], color: 'var(--code-type)' },
  { tag: tags.variableName, color: 'var(--code-variable)' },
  { tag: tags.comment, color: 'var(--mantine-color-dimmed)', fontStyle: 'italic' },
]);

const plain = (label: string): Completion => ({ label });
const WORDS: readonly Completion[] = [
  ...KEYWORDS.map((label) => ({ label, type: 'keyword' })),
  ...VARIABLES.map(plain),
  ...TYPES.map((label) => ({ label, apply: `${label}::"`, detail: 'type' })),
  ...FUNCTIONS.map((label) => ({ label, apply: `${label}("` })),
];

/** What of a type is known without asking the console: the actions and roles, with what people call them. */
function knownOf(type: string): readonly Completion[] {
  if (type === 'Action') return permissionNames().map((label) => ({ label, detail: permissionLabel(label) }));
  if (type === 'Role') return roleNames().map((label) => ({ label, detail: roleLabel(label) }));
  return type === 'Instance' ? [plain('instance')] : [];
}

/** Completes keywords, members of `context` and `resource`, and inside quotes the names that exist. */
export const completeCedar =
  (read: ReadNames) =>
  async (context: CompletionContext): Promise<CompletionResult | null> => {
    const name = context.matchBefore(/\b[A-Z]\w*::"[^"\n]*/);
    if (name !== null) {
      const [type = '', text = ''] = name.text.split('::"');
      const known = knownOf(type);
      const quote = context.state.sliceDoc(context.pos, context.pos + 1) === '"' ? '' : '"';
      const options = (known.length > 0 ? known : (await read(type, text)).map(plain)).map((one) => ({
        ...one,
        apply: `${one.label}${quote}`,
      }));
      return { from: context.pos - text.length, options, filter: true };
    }
    const member = context.matchBefore(/\b(?:context|resource)\.\w*/);
    if (member !== null) {
      const [of = '', text = ''] = member.text.split('.');
      return { from: context.pos - text.length, options: (MEMBERS[of] ?? []).map(plain) };
    }
    const word = context.matchBefore(/@?\w+/);
    if (word === null && !context.explicit) return null;
    if (word?.text.startsWith('@')) return { from: word.from, options: [{ label: '@id', apply: '@id("' }] };
    return { from: word?.from ?? context.pos, options: [...WORDS] };
  };
