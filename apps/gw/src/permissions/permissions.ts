import { readdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { errorMessage } from '@gateway/contract/error-code';
import ignore from 'ignore';
import type { Mode, PermissionCall, PermissionDecision, Permissions } from '../agent/types/index.ts';
import { expandHome } from '../files/listing.ts';
import type { ApprovalScope, Approvals } from './approvals.ts';
import { type GitAliases, hasGit } from './bash/git-aliases.ts';
import { locate } from './bash/locate.ts';
import { parseLine } from './bash/parse-line.ts';
import { isWithin, type ResolvedPath, resolvePath } from './bash/resolved-path.ts';
import type { ParsedLine, SimpleCommand } from './bash/types.ts';
import {
  type ApprovalOffer,
  approvalsOf,
  decideCommand,
  lineOnlyReads,
  offersFor,
  onlyReads,
} from './decide-command.ts';
import { rank } from './layers.ts';
import { nameOf } from './programs/program.ts';
import {
  askDecision,
  type Call,
  collectExclusions,
  type Decision,
  denyDecision,
  GIT_FILES,
  isAbout,
  matchesText,
  OWN_FILES,
  type Rule,
  type RuleSet,
  weaken,
} from './rule.ts';

/**
 * What happens with a call: a pure function of rules and call. The order is: exclusions of the organization, of the
 * command line and of the configuration; plan mode; the organization's ask; `--ask` and `--allow`; the configuration;
 * saved approvals; the organization's allow; defaults. Auto mode then turns ask into allow, but for what always asks.
 */
export function decide(rules: RuleSet, call: Call): Decision {
  if (call.line !== undefined) return decideCommand(rules, call, call.line, decideOther);
  return decideOther(rules, call);
}

function decideOther(rules: RuleSet, call: Call): Decision {
  const found = rank(rules, call.tool, call.effect, {
    covered: (rule) => isCovered(rule, call),
    mayMatch: (rule) => mayMatch(rule, call),
    keys: [approvalKey(call)],
  });
  if (found.decision === 'deny') return found;
  if (rules.mode === 'plan' && (call.effect === 'write' || call.effect === 'execute')) {
    return denyDecision(call.tool, 'plan mode', 'Plan mode changes nothing.');
  }
  if (call.tool === 'AskQuestion' && !rules.interactive) {
    return denyDecision(call.tool, 'headless', 'Nobody can answer a question in headless mode.');
  }
  if (call.effect === 'write' && isWithin(rules.ownFolder, call.resolved?.path))
    return askDecision(call.tool, 'always asks', OWN_FILES);
  const outside = call.target.kind === 'path' && call.resolved !== undefined && !isInside(rules, call);
  const asksForGit =
    call.effect === 'write' && found.decision === 'allow' && found.source !== 'saved' && !found.rule.includes('(');
  if (asksForGit && /(?:^|\/)\.git(?:\/|$)/i.test(call.resolved?.path ?? ''))
    return weaken(rules, askDecision(call.tool, 'always asks', GIT_FILES));
  // A rule with a pattern covers a path outside only where the pattern is absolute: then the path was meant.
  if (outside && found.decision === 'allow' && found.source !== 'saved' && !found.rule.includes('(')) {
    return weaken(rules, askDecision(call.tool, 'outside', 'The path leads outside the project.'));
  }
  return weaken(rules, found);
}

/** In the project, or in a folder that the person added. gw's own folder is in neither. */
function isInside({ addedFolders = [], skillFolders = [], ownFolder }: RuleSet, { resolved, effect }: Call): boolean {
  if (resolved == null) return false;
  if (resolved.relative !== null) return true;
  if (effect === 'read' && skillFolders.some((folder) => isWithin(folder, resolved.path))) return true;
  return !isWithin(ownFolder, resolved.path) && addedFolders.some((folder) => isWithin(folder, resolved.path));
}

function isCovered({ pattern }: Rule, call: Call): boolean {
  if (pattern === null) return true;
  if (call.target.kind === 'host') return hostMatches(pattern, call.target.value);
  return call.target.kind === 'path' && pathIsCovered(pattern, call.resolved);
}

function mayMatch({ pattern }: Rule, call: Call): boolean {
  if (pattern === null) return true;
  if (call.target.kind === 'host') return hostMatches(pattern, call.target.value);
  if (call.target.kind === 'path')
    return call.resolved === null || pathMayMatch(pattern, call.resolved, call.target.value);
  return true; // an exclusion with a pattern that this tool does not know
}

/** Names exactly this call, to remember its approval; of a tool that changes a file, the tool and the file. */
export function approvalKey({ tool, target, resolved, exact }: Call): string {
  return JSON.stringify([tool, target.kind, resolved?.path ?? target.value, ...(exact === undefined ? [] : [exact])]);
}

/** What of a rule set the composition knows; the mode and the approvals come with each call. */
export type Rules = Omit<RuleSet, 'mode' | 'saved' | 'readOnlySandbox'>;

export interface PermissionOptions {
  /** Root of the project: absolute, links resolved. */
  readonly project: string;
  /** Where relative paths begin. */
  readonly directory: string;
  /** What `~` means in a path. */
  readonly home?: string;
  /** Asked at every call, so that a new policy counts at once. */
  rules(): Rules;
  readonly approvals: Approvals;
  /** Masks secrets in a text: an approval that contains one is not stored on disk. */
  readonly mask: (text: string) => { readonly masked: number };
  /** Whether commands can run where they cannot write. Asked in plan mode alone. */
  readonly hasReadOnlySandbox: () => Promise<boolean>;
  /** Asked where a line has a command of git. */
  readonly gitAliases: () => Promise<GitAliases>;
  /** Why git would start a program that the repository of a folder names; null where it would not. */
  readonly gitStarts: (folder: string) => Promise<string | null>;
  /** Whether the shell may find a program of this name in the project. Absent where PATH has no relative folder. */
  readonly isSuppliedByProject?: (program: string) => Promise<boolean>;
}

/** What the agent's port does not name. */
export interface LocalPermissions extends Permissions {
  /** What can be approved beyond this one time, the exact call first; nothing where it would ask all the same. */
  offers(call: PermissionCall): Promise<readonly ApprovalOffer[]>;
  readsOnly(command: string): Promise<boolean>;
  /** For the sandbox, which hides what the rules exclude. */
  excludedPaths(): ReturnType<typeof findExcludedPaths>;
}

/** Looks up what a call is about (links, the grammar of a command) and has the pure function decide. */
export function createPermissions(options: PermissionOptions): LocalPermissions {
  const { approvals } = options;
  const prepared = (call: PermissionCall): Promise<Call> => prepareCall(call, options);

  async function ruleSet(call: PermissionCall, mode: Mode, saved: ReadonlySet<string>): Promise<RuleSet> {
    const readOnlySandbox = mode === 'plan' && call.tool === 'Bash' && (await options.hasReadOnlySandbox());
    return { ...options.rules(), mode, saved, readOnlySandbox };
  }

  return {
    excludedPaths: () => findExcludedPaths(options.rules(), options.project),
    async judge(call: PermissionCall, mode: Mode): Promise<PermissionDecision> {
      const found = await prepared(call);
      return decide(await ruleSet(call, mode, await approvals.known()), found);
    },
    async readsOnly(command: string) {
      const target = { kind: 'command', value: command } as const;
      const { line } = await prepared({ tool: 'Bash', effect: 'execute', target, args: { command } });
      return line !== undefined && lineOnlyReads(line);
    },
    async offers(call: PermissionCall) {
      const found = await prepared(call);
      const before = await ruleSet(call, 'normal', await approvals.known());
      const saved = (keys: readonly string[]): RuleSet => ({ ...before, saved: new Set([...before.saved, ...keys]) });
      // What asks all the same is not offered.
      return offersFor(found, exactKeys(found)).filter(({ keys }) => decide(saved(keys), found).decision === 'allow');
    },
    async remember(call: PermissionCall, asked: ApprovalScope, rules?: readonly string[]): Promise<string | null> {
      const found = await prepared(call);
      const offered =
        rules === undefined ? undefined : (await this.offers(call)).find((one) => isSame(one.rules, rules));
      const keys = offered?.keys ?? exactKeys(found);
      const saved = new Set([...(await approvals.known()), ...keys]);
      const later = decide(await ruleSet(call, 'normal', saved), found);
      if (later.decision !== 'allow') return `The approval counts once: ${later.reason}`;
      const secret = asked === 'project' && keys.some((key) => options.mask(key).masked > 0);
      const scope = secret ? 'session' : asked;
      try {
        await approvals.add(keys, scope);
      } catch (error) {
        await approvals.add(keys, 'session');
        return `The approval counts in this session only: it cannot be kept (${errorMessage(error)}).`;
      }
      return secret ? 'The approval counts in this session only: the call holds what looks like a secret.' : null;
    },
  };
}

const SUPPLIED = 'PATH has a relative folder, in which the project may have a program of this name.';
/** What Bash does itself. */
const BUILTIN =
  /^(?::|\[|true|false|test|echo|printf|pwd|type|cd|command|builtin|times|jobs|wait|read|shift|return|break|continue|exit)$/;

function exactKeys(call: Call): readonly string[] {
  return call.line === undefined ? [approvalKey(call)] : approvalsOf(call.line);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}

async function prepareCall(call: PermissionCall, options: PermissionOptions): Promise<Call> {
  const { project, directory, home = null } = options;
  const { tool, effect, target } = call;
  if (tool === 'Bash') {
    const plain = await parseLine(target.value);
    const aliases = hasGit(plain) ? await options.gitAliases() : null;
    const line = aliases === null || aliases.size === 0 ? plain : await parseLine(target.value, aliases);
    return { tool, effect, target, line: await withPrograms(await locate(line, project, directory), options) };
  }
  if (target.kind !== 'path') return { tool, effect, target, exact: JSON.stringify(call.args) };
  return {
    tool,
    effect,
    target,
    resolved: await resolvePath(expandHome(target.value, home), project, directory).catch(() => null),
  };
}

/** A command that only reads does more where git starts a program of the repository, or where the project supplies the program. */
async function withPrograms(
  line: ParsedLine,
  { gitStarts, isSuppliedByProject }: PermissionOptions,
): Promise<ParsedLine> {
  const asked = new Map<string, Promise<string | null>>();
  const startedIn = (folder: string): Promise<string | null> => {
    const known = asked.get(folder) ?? gitStarts(folder);
    asked.set(folder, known);
    return known;
  };
  const commands = line.commands.map(async (command): Promise<SimpleCommand> => {
    const [name] = command.words;
    if (name === undefined || !onlyReads(command)) return command;
    const isSupplied = !BUILTIN.test(name.text) && (await isSuppliedByProject?.(nameOf(name)));
    const found = isSupplied === true ? [SUPPLIED] : await Promise.all((command.folders ?? []).map(startedIn));
    const more = found.find((why) => why !== null);
    return more === undefined ? command : { ...command, use: { ...command.use, acts: true }, more };
  });
  return { ...line, commands: await Promise.all(commands) };
}

/** `[!a]`, which the library takes for its opposite: it allows nothing, and excludes any character. */
const INVERTED = /(?<!\\)\[[!^][^\]]*\]/g;

/** `/home/casey/notes/**`, but not `/**`, which means everything in the project. */
const ABSOLUTE = /^\/[^*?[\]{}\\/]+(?:\/|$)/;

/**
 * Whether a path matches a pattern in the notation of `.gitignore`, relative to the project. A pattern that begins with `/` and
 * the name of a folder is also an absolute path: the only way to cover a file outside the project.
 */
export function pathIsCovered(pattern: string, resolved: ResolvedPath | null | undefined): boolean {
  if (resolved == null || pattern.search(INVERTED) >= 0) return false;
  const matcher = ignore({ ignorecase: false }).add(pattern);
  const paths = [resolved.relative ?? '', ...(ABSOLUTE.test(pattern) ? [fromRoot(resolved.path)] : [])];
  return paths.some((path) => path !== '' && ignore.isPathValid(path) && matcher.ignores(path)); // '' is the project itself
}

/** The same for an exclusion: letter case does not count, and a path outside may match by its last parts. */
export function pathMayMatch(pattern: string, resolved: ResolvedPath | null | undefined, written: string): boolean {
  const absolute = ABSOLUTE.test(pattern) ? resolved?.path : undefined;
  const paths = [resolved?.relative ?? resolved?.path, absolute, written];
  const matcher = ignore({ ignorecase: true }).add(pattern.replaceAll(INVERTED, '?'));
  return paths.some((path) => {
    const plain = fromRoot(path?.replaceAll('\\', '/') ?? '');
    return plain !== '' && ignore.isPathValid(plain) && matcher.ignores(plain);
  });
}

function fromRoot(path: string): string {
  return path.replace(/^(?:\.{0,2}\/)+/, '');
}

/** Whether a host (`example.org`, `127.0.0.1:8080`) is meant by a pattern; `*.example.org` means every host below. */
export function hostMatches(pattern: string, host: string): boolean {
  const wanted = pattern.toLowerCase();
  const [name, port] = split(host.toLowerCase());
  return matchesText(wanted, name) || (port !== undefined && matchesText(wanted, `${name}:${port}`));
}

function split(host: string): [string, string?] {
  const [, name = host, port] = /^(.*?|\[.*\])(?::(\d+))?$/.exec(host) ?? [];
  return port === undefined ? [name] : [name, port];
}

/** Folders that are not searched: they hold what others made, and are large. */
const SKIPPED = new Set(['.git', 'node_modules']);

/** The files and folders of the project that the rules exclude from reading or writing, absolute. */
async function findExcludedPaths(
  rules: Pick<RuleSet, 'policy' | 'options' | 'configuration'>,
  project: string,
): Promise<{ readonly unreadable: readonly string[]; readonly unwritable: readonly string[] }> {
  const all = collectExclusions({ ...rules, mode: 'normal' } as RuleSet).map(({ rule }) => rule);
  const of = (...tools: readonly string[]): readonly string[] =>
    all.flatMap((rule: Rule) =>
      rule.pattern !== null && tools.some((tool) => isAbout(rule, tool)) ? [rule.pattern] : [],
    );
  const [unreadable, unwritable] = [of('Read'), of('Write', 'Edit', 'MultiEdit')];
  return { unreadable: await matching(unreadable, project), unwritable: await matching(unwritable, project) };
}

async function matching(patterns: readonly string[], project: string): Promise<readonly string[]> {
  if (patterns.length === 0) return [];
  const inside = patterns.flatMap((pattern) =>
    isAbsolute(pattern) && pattern.startsWith(`${project}/`) ? [pattern.slice(project.length)] : [pattern],
  );
  const matcher = ignore({ ignorecase: true }).add(inside);
  // `locked/**` means the folder as well.
  const folders = ignore({ ignorecase: true }).add(
    inside.flatMap((one) => (one.endsWith('/**') ? [one.slice(0, -2)] : [])),
  );
  const found: string[] = [];
  const queue = [''];
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    const entries = await readdir(join(project, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const isFolder = entry.isDirectory();
      const named = isFolder ? `${path}/` : path;
      if (matcher.ignores(named) || folders.ignores(named)) found.push(join(project, path));
      else if (isFolder && !SKIPPED.has(entry.name)) queue.push(path);
    }
  }
  return found;
}
