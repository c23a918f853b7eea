import type { Node } from 'web-tree-sitter';
import { literal, unknownWord } from '../programs/program.ts';
import { NO_USE, useOf } from '../programs/table.ts';
import type { Redirection, SimpleCommand, Word } from './types.ts';
import { HARMLESS_NAME, wordOf } from './words.ts';

/** What ends at the end of its line. */
const PARTS = ['command', 'declaration_command', 'unset_command', 'redirected_statement', 'file_redirect'];

/** Whether the grammar takes a line that begins with a backslash for a part of the command above it: `echo a`, then `\\rm b`. */
function hidesLineEnd(root: Node): boolean {
  const words = root.descendantsOfType('word').some((word) => word !== null && hasLineEnd(word.text));
  return words || root.descendantsOfType(PARTS).some((part) => part !== null && betweenChildren(part).some(hasLineEnd));
}

function hasLineEnd(text: string): boolean {
  return /(?<!\\)\n/.test(text);
}

function betweenChildren(node: Node): readonly string[] {
  let end = node.startIndex;
  return node.children.map((child) => {
    if (child === null) return '';
    const between = node.text.slice(end - node.startIndex, child.startIndex - node.startIndex);
    end = child.endIndex;
    return between;
  });
}

export interface Found {
  readonly parsed: boolean;
  readonly commands: readonly SimpleCommand[];
  readonly opaque: readonly string[];
}

/** Container nodes without a meaning of their own. Any other named node makes the line opaque. */
const STRUCTURE = new Set(
  `program list pipeline compound_statement subshell negated_command if_statement elif_clause else_clause while_statement
  until_statement do_group case_statement case_item for_statement c_style_for_statement function_definition command_substitution
  process_substitution string string_content raw_string ansi_c_string translated_string concatenation word number comment
  command_name variable_name special_variable_name simple_expansion expansion array subscript extglob_pattern regex
  binary_expression unary_expression ternary_expression parenthesized_expression postfix_expression test_operator
  heredoc_start heredoc_body heredoc_content heredoc_end file_descriptor brace_expression`.split(/\s+/),
);
/** Targets that keep nothing. */
const NOWHERE = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/tty']);

const EMPTY = { assignments: [], words: [], redirections: [], input: [], transparent: false, paths: [] };
/** `name[$(command)]`: Bash evaluates the subscript wherever a builtin takes the name of a variable. */
const SUBSCRIPT = /[A-Za-z_]\w*\[[^\]]*(?:\$\(|`)/;
/** A substitution that the grammar left inside a word. */
const SUBSTITUTION = /(?:^|[^\\])(?:\\\\)*(?:`|\$\(|[<>]\()/;
/** `{name}>file`: the shell stores the number of the descriptor in a variable. */
const SETS_NAME = /(?<!\$)\{\w+(?:\[[^\]]*\])?\}$/;
const REDIRECTS = ['file_redirect', 'heredoc_redirect', 'herestring_redirect'];
const EXPANSIONS = ['simple_expansion', 'expansion', 'command_substitution', 'arithmetic_expansion'];
const QUOTED = ['string', 'raw_string', 'ansi_c_string', 'translated_string', 'concatenation'];
const LITERAL = new Set(['raw_string', 'ansi_c_string', 'comment', 'heredoc_body', 'heredoc_content', 'heredoc_start']);

/** Collects the simple commands below a node, and why some of it cannot be judged. */
export function readNodes(root: Node): Found {
  const commands: SimpleCommand[] = [];
  const opaque = new Set<string>();
  const command = (parts: Partial<SimpleCommand> & { source: string }): void => {
    commands.push({ ...EMPTY, use: parts.words === undefined ? NO_USE : useOf(parts.words), ...parts });
  };

  const walk = (node: Node): void => {
    switch (node.type) {
      case 'command':
      case 'declaration_command':
      case 'unset_command':
        command(simpleCommand(node));
        break;
      case 'redirected_statement':
        return redirected(node);
      case 'file_redirect':
      case 'herestring_redirect':
        if (node.parent?.type === 'command' && wordsBehind(node).length > 0) opaque.add('Words follow a redirection.');
        if (node.parent?.type !== 'command' && node.type === 'file_redirect') {
          command({ source: node.text, redirections: redirectionsOf([node]) });
        }
        break;
      case 'heredoc_redirect':
        if (!endsWhereItShould(node)) opaque.add('A here-document ends at an unexpected line.');
        for (const one of childrenOf(node))
          if (one.type === 'file_redirect') command({ source: one.text, redirections: redirectionsOf([one]) });
        break;
      case 'variable_assignment':
      case 'variable_assignments':
        if (node.parent?.type !== 'command' && node.parent?.type !== 'declaration_command') assigned(node);
        break;
      case 'for_statement':
        setVariable(node.childForFieldName('variable')?.text ?? '', node.text.split('\n')[0] ?? '');
        break;
      case 'expansion':
        if (node.children.some((one) => one !== null && /^(?::?=|@|!)$/.test(one.type)) || isSlicedByVariables(node)) {
          opaque.add('An expansion evaluates or sets a variable.');
        }
        break;
      case 'arithmetic_expansion':
        if (namesVariables(node)) opaque.add('Arithmetic with variables may run commands.');
        break;
      case 'c_style_for_statement':
        if (['initializer', 'condition', 'update'].some((part) => node.childrenForFieldName(part).some(isVariable)))
          opaque.add('Arithmetic with variables may run commands.');
        break;
      case 'array':
        if (/[(\s]\[(?!(?:\d+)\])/.test(node.text)) opaque.add('A subscript may run commands.');
        break;
      case 'subscript':
        if (!/^[0-9@*]+$/.test(node.childForFieldName('index')?.text ?? ''))
          opaque.add('A subscript may run commands.');
        break;
      case 'test_command':
        if (/(?:^|\s)-(?:v|R|eq|ne|lt|gt|le|ge)\s/.test(node.text) || node.text.startsWith('((')) {
          if (namesVariables(node) || node.descendantsOfType(QUOTED).length > 0)
            opaque.add('A comparison of numbers may run commands.');
        }
        if (/^\[\s/.test(node.text) && hasUnquotedExpansion(node))
          opaque.add('An expansion may be an option of a test.');
        break;
      case 'raw_string':
      case 'ansi_c_string':
        if (/\$\(|`/.test(node.text) && inAssignment(node)) opaque.add('A variable holds the text of a command.');
        if (SUBSCRIPT.test(node.text)) opaque.add('A subscript may run commands.');
        break;
      default:
        if (node.isNamed && !STRUCTURE.has(node.type)) opaque.add(`The grammar's "${node.type}" is not judged.`);
    }
    if (node.childCount === 0 && node.isNamed && !LITERAL.has(node.type) && SUBSTITUTION.test(node.text)) {
      opaque.add('The grammar does not see a substitution.');
    }
    if (node.type === 'compound_statement' && node.text.startsWith('((') && namesVariables(node)) {
      opaque.add('Arithmetic with variables may run commands.');
    }
    for (const child of childrenOf(node)) walk(child);
  };

  const redirected = (node: Node): void => {
    const body = node.childForFieldName('body');
    const own = node.childrenForFieldName('redirect').filter((one) => one !== null);
    const files = redirectionsOf(own.filter(({ type }) => type === 'file_redirect'));
    if (body?.type === 'command') {
      const bare = simpleCommand(body);
      command({
        ...bare,
        source: node.text,
        words: [...bare.words, ...own.flatMap(wordsBehind)],
        redirections: [...(bare.redirections ?? []), ...files],
        input: [...(bare.input ?? []), ...own.flatMap(inputOf)],
      });
      for (const child of childrenOf(body)) walk(child);
    } else {
      if (own.some((one) => wordsBehind(one).length > 0)) opaque.add('Words follow a redirection.');
      if (files.length > 0) command({ source: node.text, redirections: files });
      if (body !== null) walk(body);
    }
    for (const one of own) {
      if (one.type === 'file_redirect') for (const child of childrenOf(one)) walk(child);
      else walk(one);
    }
  };

  const setVariable = (name: string, source: string): void => {
    if (!HARMLESS_NAME.test(name)) command({ source, assignments: [name] });
  };
  const assigned = (node: Node): void => {
    if (node.type === 'variable_assignment') setVariable(nameOf(node), node.text);
  };

  walk(root);
  if (hidesLineEnd(root)) opaque.add('The grammar does not see a line end.');
  if (
    root
      .descendantsOfType(REDIRECTS)
      .some((one) => one !== null && SETS_NAME.test(root.text.slice(0, one.startIndex - root.startIndex)))
  )
    opaque.add('A redirection sets a variable.');
  return { parsed: !root.hasError, commands, opaque: [...opaque] };
}

function childrenOf(node: Node): Node[] {
  return node.children.filter((child) => child !== null);
}

function nameOf(assignment: Node): string {
  return assignment.childForFieldName('name')?.text ?? '';
}

function inAssignment(node: Node): boolean {
  for (let at: Node | null = node; at !== null; at = at.parent) {
    if (at.type === 'variable_assignment' || at.type === 'for_statement') return true;
    if (at.type === 'command') return false;
  }
  return false;
}

function namesVariables(node: Node): boolean {
  return node.descendantsOfType(['variable_name', 'simple_expansion', 'expansion', 'subscript', 'word']).length > 0;
}

function hasUnquotedExpansion(node: Node): boolean {
  return node
    .descendantsOfType(['simple_expansion', 'expansion', 'command_substitution'])
    .some((one) => one !== null && one.parent?.type !== 'string');
}

function isVariable(node: Node | null): boolean {
  return (
    node !== null &&
    (node.type === 'word' || node.type === 'variable_assignment' || QUOTED.includes(node.type) || namesVariables(node))
  );
}

function simpleCommand(node: Node): Partial<SimpleCommand> & { source: string; words: readonly Word[] } {
  const words: Word[] = [];
  const assignments: string[] = [];
  const redirects: Node[] = [];
  const input: Word[] = [];
  let end = node.startIndex;
  for (const child of childrenOf(node)) {
    const between = node.text.slice(end - node.startIndex, child.startIndex - node.startIndex);
    const isPart = words.length > 0 && (between === '' || /\\(?!\r?\n)/.test(between));
    end = child.endIndex;
    // The grammar divides `p""\ush` and `"a"\ b`, which are one word each.
    if (isPart) words.splice(-1, 1, unknownWord(true));
    else if (child.type === 'variable_assignment' && node.type === 'command') assignments.push(nameOf(child));
    else if (child.type === 'variable_assignment') words.push(readDeclared(child));
    else if (child.type === 'file_redirect') redirects.push(child);
    else if (child.type === 'herestring_redirect') input.push(...inputOf(child));
    else if (child.isNamed) words.push(wordOf(child));
    else if (/^\w+$/.test(child.type))
      words.push(literal(child.text)); // declare, export, unset …
    else words.push(unknownWord(true));
  }
  return { source: node.text, assignments, words, redirections: redirectionsOf(redirects), input };
}

/** Words of the command that the grammar takes for parts of a redirection: `push` in `git > log push`. */
function wordsBehind(node: Node): readonly Word[] {
  const words = (field: string): readonly Word[] =>
    node
      .childrenForFieldName(field)
      .filter((one) => one !== null)
      .map(wordOf);
  return node.type === 'heredoc_redirect'
    ? [...words('argument'), ...childrenOf(node).flatMap(wordsBehind)]
    : words('destination').slice(1);
}

/** The text that a here-document or a here-string gives. */
function inputOf(node: Node): readonly Word[] {
  if (node.type === 'heredoc_redirect') {
    return childrenOf(node)
      .filter(({ type }) => type === 'heredoc_body')
      .map((body) => ({ ...literal(body.text), dynamic: body.descendantsOfType(EXPANSIONS).length > 0 }));
  }
  return node.type === 'herestring_redirect' ? node.namedChildren.filter((one) => one !== null).map(wordOf) : [];
}

/** `${x:offset:length}`: both are arithmetic, in which the value of a variable may run commands. */
function isSlicedByVariables(node: Node): boolean {
  const from = node.children.findIndex((one) => one?.type === ':');
  return from >= 0 && node.children.slice(from + 1).some((one) => one !== null && one.isNamed && one.type !== 'number');
}

/** `NAME=value` behind `export`: one word, whose value may be unknown. */
function readDeclared(node: Node): Word {
  const value = node.childForFieldName('value');
  const word = value === null ? literal('') : wordOf(value);
  return { ...word, text: `${nameOf(node)}=${word.dynamic ? '' : word.text}`, splits: false };
}

function redirectionsOf(nodes: readonly Node[]): Redirection[] {
  const found: Redirection[] = [];
  for (const node of nodes) {
    const operator = node.children.find((one) => one !== null && /[<>]/.test(one.type))?.type ?? '';
    const target = node.childrenForFieldName('destination').find((one) => one !== null);
    const word = target === undefined || target === null ? unknownWord(false) : wordOf(target);
    if (operator.endsWith('&') && !word.dynamic && /^(?:\d+|-|\d+-)$/.test(word.text)) continue; // 2>&1
    if (!word.dynamic && NOWHERE.has(word.text)) continue;
    found.push({ effect: operator.startsWith('<') ? 'read' : 'write', target: word, resolved: null });
  }
  return found;
}

/** The grammar's idea of where a here-document ends, compared with the shell's. */
function endsWhereItShould(node: Node): boolean {
  const start = node.children.find((one) => one?.type === 'heredoc_start');
  const end = node.children.find((one) => one?.type === 'heredoc_end');
  if (!start || !end) return false;
  const name = start.text.replaceAll(/['"\\]/g, '');
  const strip = node.children.some((one) => one?.type === '<<-');
  let root: Node = node;
  while (root.parent !== null) root = root.parent;
  const lines = root.text.slice(start.endIndex - root.startIndex).split('\n');
  let at = start.endIndex + (lines[0]?.length ?? 0) + 1;
  for (const line of lines.slice(1)) {
    const text = strip ? line.replace(/^\t+/, '') : line;
    if (text === name) return at + line.length === end.endIndex;
    at += line.length + 1;
  }
  return false;
}
