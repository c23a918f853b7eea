import { dirname } from 'node:path/posix';
import { alwaysAsks, mayDestroy, writesBelow } from './bash/locate.ts';
import type { LocatedPath, ParsedLine, Redirection, SimpleCommand } from './bash/types.ts';
import { rank, ruleKey } from './layers.ts';
import { literal, nameOf, type Program, type Word } from './programs/program.ts';
import { copiesPrograms, doesNotRunItsWords, findProgramIn } from './programs/table.ts';
import {
  allowDecision,
  askDecision,
  type Call,
  type Decision,
  denyDecision,
  matchesText,
  OWN_FILES,
  type Rule,
  type RuleSet,
  strictest,
  weaken,
} from './rule.ts';

type Judge = (rules: RuleSet, call: Call) => Decision;

/**
 * What happens with a Bash line: the strictest decision about any of its commands, about what it redirects to and reads
 * from, and about what of it cannot be judged. `judge` decides about the files.
 */
export function decideCommand(rules: RuleSet, call: Call, line: ParsedLine, judge: Judge): Decision {
  // Without auto mode: what always asks must still be an ask when it meets the rest.
  const strict: RuleSet = rules.mode === 'auto' ? { ...rules, mode: 'normal' } : rules;
  const plan = rules.mode === 'plan' ? planMode(rules, call.tool, line) : null;
  const decisions = [
    ...judgeUncertain(strict, call, line),
    ...line.commands.flatMap((command) => judgeCommand(strict, call, command, judge)),
  ];
  const [first = wholeTool(strict, call), ...others] = decisions;
  const found = strictest(plan === null ? [first, ...others] : [plan, first, ...others]);
  if (found.decision === 'deny') return found;
  const always =
    line.commands.map(alwaysAsks).find((reason) => reason !== null) ??
    mayDestroy(line) ??
    (writesBelow(rules.ownFolder, line) ? OWN_FILES : null);
  return always === null ? weaken(rules, found) : askDecision(call.tool, 'always asks', always);
}

/** The exclusions, and the rules for the tool as a whole, for what is no command by itself. */
function wholeTool(rules: RuleSet, call: Call): Decision {
  return rank(rules, call.tool, call.effect, {
    covered: ({ pattern }) => pattern === null,
    mayMatch: ({ pattern }) => pattern === null,
    keys: [lineKey(call.target.value)],
  });
}

/** What cannot be judged is denied by any exclusion that could concern it, and allowed by no rule that has a pattern. */
function judgeUncertain(rules: RuleSet, call: Call, line: ParsedLine): Decision[] {
  if (line.parsed && line.opaque.length === 0) return [];
  const [why = 'The line cannot be parsed.'] = line.opaque;
  const found = rank(rules, call.tool, call.effect, {
    covered: ({ pattern }) => pattern === null && line.parsed,
    mayMatch: () => true,
    keys: [lineKey(line.source)],
  });
  return [found.decision === 'allow' ? found : { ...found, reason: `${why} ${found.reason}` }];
}

function judgeCommand(rules: RuleSet, call: Call, command: SimpleCommand, judge: Judge): Decision[] {
  const about = (pattern: string | null, meets: (pattern: string, command: SimpleCommand) => boolean): boolean =>
    pattern === null || meets(pattern, command);
  const found = rank(rules, call.tool, call.effect, {
    covered: ({ pattern }) =>
      about(pattern, covers) || (command.words.length === 0 && command.assignments.length === 0),
    mayMatch: ({ pattern }: Rule) => about(pattern, mayMatch),
    keys: [commandKey(command)],
  });
  const decision = found.decision === 'ask' && found.source === 'default' ? byItself(call, command, found) : found;
  return [
    decision,
    ...command.redirections.flatMap((one) => judgeRedirection(rules, call, one, decision, judge)),
    ...command.paths.flatMap((one) => judgePath(rules, call, one, decision, judge)),
  ];
}

/** What no rule is about: a command that only reads needs no question, and `timeout 5 npm test` is what it starts. */
function byItself(call: Call, command: SimpleCommand, found: Decision): Decision {
  if (command.transparent)
    return allowDecision(call.tool, 'default', 'It only starts another command, which is judged.', 'automatic');
  if (readsInside(command))
    return allowDecision(call.tool, 'default', 'It only reads files of the project.', 'automatic');
  return command.more === undefined ? found : { ...found, reason: `${command.more} ${found.reason}` };
}

const WRITERS = ['Write', 'Edit', 'MultiEdit'];

/** What the rules say of the paths that a command uses: exclusions hold for them, too, and so does what a person wants asked. */
function judgePath(rules: RuleSet, call: Call, path: LocatedPath, command: Decision, judge: Judge): Decision[] {
  if (command.source === 'saved') return [];
  const { role, resolved, word } = path;
  const value = word.dynamic ? (word.expanded ?? '') : word.text;
  const effect = role === 'reads' || role === 'lists' ? 'read' : 'write';
  const found: Decision[] = [];
  if (role !== 'lists') {
    for (const tool of effect === 'read' ? ['Read'] : WRITERS) {
      const file = judge({ ...rules, mode: 'normal' }, { tool, effect, target: { kind: 'path', value }, resolved });
      if (file.decision === 'deny') return [file];
      if (file.decision === 'ask' && !/^(?:default|outside|always asks)$/.test(file.source))
        found.push(askDecision(file.rule, file.source, `It ${effect}s ${value}.`));
    }
  }
  const whole = command.decision === 'allow' && command.rule === call.tool && command.source !== 'default';
  if (whole && resolved !== null && resolved.relative === null)
    found.push(askDecision(call.tool, 'outside', `${value} leads outside the project.`));
  return found;
}

/** A file that is written is allowed by the rules for Write, or by a rule for Bash as a whole; one that is read, as Read is. */
function judgeRedirection(
  rules: RuleSet,
  call: Call,
  redirection: Redirection,
  command: Decision,
  judge: Judge,
): Decision[] {
  if (command.source === 'saved') return [];
  const written = redirection.effect === 'write';
  const tool = written ? 'Write' : 'Read';
  const target = { kind: 'path' as const, value: redirection.target.text };
  const file = judge(rules, { tool, effect: redirection.effect, target, resolved: redirection.resolved });
  if (file.decision === 'deny') return rules.mode === 'plan' && file.source === 'plan mode' ? [] : [file];
  if (file.decision === 'allow') return [];
  const whole = command.decision === 'allow' && command.rule === call.tool && redirection.resolved?.relative != null;
  const name = redirection.target.dynamic ? 'a file that is not known before the line runs' : redirection.target.text;
  return whole ? [] : [askDecision(file.rule, file.source, `It ${written ? 'writes to' : 'reads'} ${name}.`)];
}

/** Whether a line is known to change nothing. */
export function lineOnlyReads({ parsed, opaque, commands }: ParsedLine): boolean {
  return parsed && opaque.length === 0 && commands.every(onlyReads);
}

/** In plan mode a command only reads: because it is known to, or because the sandbox does not let it write. */
function planMode(rules: RuleSet, tool: string, line: ParsedLine): Decision | null {
  if (lineOnlyReads(line) || rules.readOnlySandbox) return null;
  return denyDecision(tool, 'plan mode', 'Plan mode changes nothing, and this command is not known to only read.');
}

/** Names exactly this command, with its redirections, to remember its approval. */
export function commandKey({ source, words, assignments, redirections, input }: SimpleCommand): string {
  const plain =
    assignments.length === 0 && input.length === 0 && words.every(({ dynamic, splits }) => !dynamic && !splits);
  const files = redirections.map(({ effect, target, resolved }) => [
    effect,
    target.dynamic ? null : (resolved?.path ?? target.text),
  ]);
  const exact = plain && files.every(([, path]) => path !== null);
  return JSON.stringify(['Bash', exact ? words.map(({ text }) => text) : source, exact ? files : []]);
}

/** Names a line of which parts cannot be judged. */
export function lineKey(source: string): string {
  return JSON.stringify(['Bash line', source]);
}

/** Everything that an approval of this line approves. */
export function approvalsOf(line: ParsedLine): readonly string[] {
  const uncertain = line.parsed && line.opaque.length === 0 ? [] : [lineKey(line.source)];
  return [...uncertain, ...line.commands.map(commandKey)];
}

/** What a person can approve once and for all: the rules that are saved, as they are shown. */
export interface ApprovalOffer {
  readonly kind: 'exact' | 'program' | 'folder' | 'host';
  /** `Bash(npm test *)`; of the exact call what it is about. */
  readonly rules: readonly string[];
  readonly keys: readonly string[];
}

/** What can be approved beyond this one time, the narrowest first. An offer covers the call that it is made for. */
export function offersFor(call: Call, exactKeys: readonly string[]): readonly ApprovalOffer[] {
  const exact: ApprovalOffer = { kind: 'exact', rules: [`${call.tool}(${call.target.value})`], keys: exactKeys };
  const wider = call.line === undefined ? offerFor(call) : offerForLine(call.line.commands, call);
  return wider === null ? [exact] : [exact, wider];
}

function offerFor({ tool, target, resolved }: Call): ApprovalOffer | null {
  if (target.kind === 'host' && tool === 'Fetch') return offer('host', [`Fetch(${target.value})`]);
  if (target.kind !== 'path' || resolved?.relative == null || resolved.relative === '') return null;
  const folder = dirname(resolved.relative);
  // Signs with a meaning in patterns: the rule would mean other files.
  if (/[*?[\]!#\\()]/.test(folder)) return null;
  return offer('folder', [folder === '.' ? `${tool}(/*)` : `${tool}(/${folder}/**)`]);
}

function offerForLine(commands: readonly SimpleCommand[], { line }: Call): ApprovalOffer | null {
  if (line === undefined || !line.parsed || line.opaque.length > 0 || approvalsOf(line).length === 0) return null;
  const patterns = new Set<string>();
  for (const command of commands) {
    if (command.transparent || readsInside(command)) continue;
    const start = programAndSubcommand(command);
    if (start === null || command.redirections.some(({ effect }) => effect === 'write')) return null;
    const found = [start, `${start} *`];
    if (!found.some((pattern) => covers(pattern, command))) return null;
    for (const one of found) patterns.add(`Bash(${one})`);
  }
  return patterns.size === 0 ? null : offer('program', [...patterns]);
}

function offer(kind: ApprovalOffer['kind'], rules: readonly string[]): ApprovalOffer {
  return { kind, rules, keys: rules.map(ruleKey) };
}

/** `git log`, `docker compose up`, `npm run build`, `make`: what a pattern of the command begins with. */
function programAndSubcommand({ words }: SimpleCommand): string | null {
  const texts = words.map(({ text, dynamic, splits }) =>
    dynamic || splits || !/^[\w@%+:./-]+$/.test(text) ? null : text,
  );
  const [name] = texts;
  if (name == null || name.startsWith('-')) return null;
  const start = [name];
  let program: Program | undefined = findProgramIn(name);
  while (program?.subcommands !== undefined) {
    const next: string | null | undefined = texts[start.length];
    if (next == null || next.startsWith('-')) return null;
    start.push(next);
    program = Object.entries(program.subcommands).find(([names]) => names.split(' ').includes(next))?.[1];
  }
  const script = texts[start.length];
  if (/^(?:run|run-script)$/.test(start[1] ?? '') && script != null && !script.startsWith('-')) start.push(script);
  return start.join(' ');
}

/** The words of a pattern: separated by blanks, quotes keep blanks together. */
function patternWords(pattern: string): string[] {
  return [...pattern.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replaceAll(/["']/g, ''));
}

/** Ways to match that are tried: more than any pattern of a person needs. */
const MOST_TRIES = 20_000;

/**
 * Whether a pattern certainly covers a command. Words are compared one by one; a separate `*` matches one word or more, but no
 * option and no operand with which the program does more than its purpose, and no path outside the project. A word that is
 * unknown before the line runs is covered by such a `*` only, and never as the command's name.
 */
function covers(pattern: string, command: SimpleCommand): boolean {
  if (command.assignments.length > 0 || command.words.length === 0) return false;
  const [name] = command.words;
  if (name === undefined || name.dynamic || name.splits) return false;
  const wanted = patternWords(pattern);
  const { words } = command;
  const written = new Set<number>();
  let tries = 0;
  const from = (head: number, at: number): boolean => {
    tries += 1;
    if (tries > MOST_TRIES) return false;
    const one = wanted[head];
    const word = words[at];
    if (one === undefined || word === undefined)
      return one === undefined && word === undefined && isPurpose(command, written);
    if (one === '*') return from(head + 1, at + 1) || from(head, at + 1);
    if (word.dynamic || !matchesText(one, word.text)) return false;
    const isWritten = isLiteral(one);
    if (isWritten) written.add(at);
    const found = from(head + 1, at + 1);
    written.delete(at);
    return found;
  };
  return from(0, 0);
}

/** Whether the person wrote the word, or an option and left its value open: `--output=*`. */
function isLiteral(pattern: string): boolean {
  return !pattern.includes('*') || /^--?[A-Za-z][\w-]*=[^*]*\*/.test(pattern);
}

/** Whether what the wildcards match is the program's purpose: see the table in `programs/`. */
function isPurpose({ use, paths }: SimpleCommand, written: ReadonlySet<number>): boolean {
  for (const [at, option] of use.beyond) if (!written.has(at) && !written.has(option)) return false;
  return paths.every((path) => written.has(path.at) || staysInside(path));
}

/** Whether a path is in the project, and what is written is none of git's own files: their contents start programs. */
function staysInside({ role, resolved }: LocatedPath): boolean {
  if (resolved?.relative == null) return false;
  return role === 'reads' || role === 'lists' || !/(?:^|\/)\.git(?:\/|$)/i.test(resolved.relative);
}

/** Whether a command is known to change nothing, so that plan mode runs it. */
export function onlyReads({ words, assignments, redirections, use, transparent }: SimpleCommand): boolean {
  if (assignments.length > 0 || redirections.some(({ effect }) => effect === 'write')) return false;
  if (words.length === 0 || transparent) return true;
  return use.known && !use.acts && use.beyond.size === 0;
}

/** Whether it also stays in the project, so that no question is needed. The value of a variable may be a secret of the user. */
function readsInside(command: SimpleCommand): boolean {
  const all = [...command.words, ...command.input];
  const known = all.every(({ dynamic, expanded }) => !dynamic || expanded !== undefined);
  return known && command.words.length > 0 && onlyReads(command) && command.paths.every(staysInside);
}

/**
 * Whether a pattern of an exclusion may meet a command. Everything uncertain counts as met: unknown words, other paths of
 * the program, other orders and spellings of options, and commands that an unknown program may start with its words.
 */
function mayMatch(pattern: string, command: SimpleCommand): boolean {
  const wanted = patternWords(pattern);
  const { words } = command;
  if (setsVariablesTo(wanted, command)) return true;
  if (words.length === 0) return false;
  if (meets(wanted, words)) return true;
  const [name, ...rest] = words;
  if (name === undefined) return false;
  const [program = ''] = wanted;
  if (copiesPrograms(nameOf(name)) && rest.some((word) => word.text.includes('/') && nameOf(word) === program))
    return true;
  if (doesNotRunItsWords(words)) return false;
  if (rest.some((_, at) => meets(wanted, rest.slice(at)))) return true;
  const texts = [...rest, ...command.input].map(({ text }) => text);
  return texts.some((text) => mentions(text, program) || holds(text, wanted));
}

/** `python -c "os.system('touch x')"`, `awk 'BEGIN { system("touch x") }'` */
function mentions(text: string, program: string): boolean {
  return !program.includes('*') && /[\s;|&()'"`]/.test(text) && text.split(/[^\w.+-]+/).includes(program);
}

/** `--checkpoint-action=exec=touch`, `EDITOR='touch x'`: a command inside a word. */
function holds(text: string, wanted: readonly string[]): boolean {
  if (!/[^\w./+-]/.test(text)) return false;
  const words = text
    .split(/[^\w./+-]+/)
    .filter(Boolean)
    .map(literal);
  return words.some((_, at) => meets(wanted, words.slice(at)));
}

/** `PAGER='touch x' git log`: programs run the value of some variables. */
function setsVariablesTo(wanted: readonly string[], { assignments, source, words }: SimpleCommand): boolean {
  if (assignments.length === 0) return false;
  const name = words[0] === undefined ? -1 : source.indexOf(words[0].text);
  return holds(name > 0 ? source.slice(0, name) : source, wanted);
}

function meets(pattern: readonly string[], words: readonly Word[]): boolean {
  const [head = '', ...rest] = pattern;
  const [name, ...others] = words;
  if (name === undefined) return false;
  if (
    !name.dynamic &&
    !name.splits &&
    ![name.text, nameOf(name)].some((text) => matchesText(head.toLowerCase(), text.toLowerCase()))
  )
    return false;
  const options = rest.filter((one) => isOption(one));
  if (!options.every((option) => hasOption(others, option))) return false;
  return operandsMeet(
    rest.filter((one) => !isOption(one)),
    others,
  );
}

const isOption = (word: string): boolean => /^-./.test(word) && word !== '--';

/** `-rf` is met by `-r -f`, `--force` by what it may be shortened to. */
function hasOption(words: readonly Word[], option: string): boolean {
  if (words.some(({ dynamic, splits }) => dynamic || splits)) return true;
  const texts = words.map(({ text }) => text);
  if (texts.some((text) => matchesText(option, text))) return true;
  if (option.startsWith('--')) {
    return texts.some((text) =>
      /^--\w/.test(text) && option.startsWith(text.split('=', 1)[0] ?? text) ? true : text.startsWith(`${option}=`),
    );
  }
  const letters = texts.filter((text) => /^-[^-]/.test(text)).join('');
  return (
    /^-[A-Za-z]+$/.test(option) &&
    option
      .slice(1)
      .split('')
      .every((letter) => letters.includes(letter))
  );
}

/** Operands in their order; options, and the word after one, may be between them. */
function operandsMeet(pattern: readonly string[], words: readonly Word[]): boolean {
  const [head, ...rest] = pattern;
  if (head === undefined)
    return words.every(({ text, dynamic }, at) => dynamic || isOption(text) || isOption(words[at - 1]?.text ?? ''));
  if (head === '*' && rest.length === 0) return true;
  const [word, ...others] = words;
  if (word === undefined) return head === '*' && operandsMeet(rest, words);
  if (word.dynamic || word.splits) return true;
  if (head === '*') return operandsMeet(rest, words) || operandsMeet(pattern, others);
  if (matchesText(head, word.text) && operandsMeet(rest, others)) return true;
  if (isOption(word.text) || word.text === '--')
    return operandsMeet(pattern, others) || operandsMeet(pattern, others.slice(1));
  return false;
}
