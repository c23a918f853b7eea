import { resolve } from 'node:path';
import { looksLikeSlug, refuseName, variablesIn } from '../configuration/reference.ts';
import { type Project, staysWithin } from '../files/project.ts';
import { FIXES, readText } from '../files/reading.ts';
import { type Environment, pathFrom } from '../process/environment.ts';
import { WrongUsage } from '../process/fault.ts';
import { describe, type Member, nameKey, type UserFacts } from './members.ts';
import type { Origin, ProjectRequest } from './sources.ts';

/**
 * Variables that make programs load code, or find other programs than their names say. A person who reads the command of a
 * server would not expect them to decide what runs.
 */
const PREFIXES =
  /^(?:LD_|DYLD_|PYTHON|PERL5|PERL_|RUBY|GIT_|BASH_|NPM_CONFIG_|_?JAVA_|JDK_|DOTNET_|CORECLR_|COR_|COMPLUS_|PHP|LUA_|GEM_|BUNDLE_|ELECTRON_|GCONV_|RUSTC)/;
const NAMES = new Set(
  'ENV PATH CDPATH IFS HOME SHELL SHELLOPTS PS4 PROMPT_COMMAND ZDOTDIR NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE CLASSPATH MAVEN_OPTS GRADLE_OPTS CC CXX GOFLAGS EDITOR VISUAL PAGER BROWSER SSH_ASKPASS PATHEXT COMSPEC TCLLIBPATH R_PROFILE R_PROFILE_USER OPENSSL_CONF'.split(
    ' ',
  ),
);

/** Whether a variable may load code into a program. Letter case is ignored, as Windows and npm ignore it. */
export function loadsCode(name: string): boolean {
  const upper = name.toUpperCase();
  return NAMES.has(upper) || PREFIXES.test(upper);
}

/** How a member counts. A pure function of the member and of what the user configured decides it: `decide`. */
export type Verdict =
  | { readonly effect: 'applies' }
  /** It says what the user's own sources say. */
  | { readonly effect: 'changes nothing' }
  | { readonly effect: 'needs consent'; readonly request: Omit<ProjectRequest, 'place'> }
  | { readonly effect: 'refused'; readonly what: string; readonly reason: string; readonly path: Member['path'] };

/**
 * Whether a member takes effect, needs consent or is refused. Nothing else asks where a value came from.
 *
 * - The user's members apply.
 * - A project's gateway, models and servers need consent. Its rules and prompts are texts of the project, its permissions only
 *   restrict.
 */
export function decide(member: Member, user: UserFacts): Verdict {
  if (member.origin === 'user') return { effect: 'applies' };
  const refuse = (what: string, reason: string, path = member.path): Verdict => ({
    effect: 'refused',
    what,
    reason,
    path,
  });
  const consent = (): Verdict => ({ effect: 'needs consent', request: describe(member, user) });
  switch (member.kind) {
    case 'gateway': {
      const variable = foreignIn(member.raw, user.inAddresses);
      if (variable !== null) return refuse('the gateway', inAddress(variable));
      return isSameAddress(member.address, user.gateway) ? { effect: 'changes nothing' } : consent();
    }
    case 'model': {
      const { raw, choice } = member;
      const what = `the model ${choice.name}`;
      const address = raw.endpoint === undefined ? 'apiBase' : 'endpoint';
      const variable = foreignIn(member.rawAddress, user.inAddresses);
      if (variable !== null) return refuse(what, inAddress(variable), [...member.path, address]);
      const [told] = variablesIn(`${raw.name} ${raw.model ?? ''} ${(raw.roles ?? []).join(' ')}`);
      if (told !== undefined) return refuse(what, `A project may not put the variable ${told} into a name.`);
      if (user.models.has(nameKey(choice.name)))
        return refuse(what, 'Your own configuration has a model of this name, which is used. Rename one of the two.');
      return consent();
    }
    case 'MCP server': {
      const { raw, server } = member;
      const what = `the MCP server ${server.name}`;
      const code = Object.keys(server.env ?? {}).find(loadsCode);
      if (code !== undefined)
        return refuse(
          what,
          `A project may not set the variable ${code}, which can load code into programs. Remove it, or configure the server in ~/.gateway/config.yaml.`,
          [...member.path, 'env', code],
        );
      const variable = foreignIn(raw.url, user.inAddresses);
      if (variable !== null) return refuse(what, inAddress(variable), [...member.path, 'url']);
      if (variablesIn(raw.name).length > 0) return refuse(what, 'A project may not put a variable into a name.');
      if (user.servers.has(nameKey(server.name)))
        return refuse(what, 'Your own configuration has a server of this name, which is used. Rename one of the two.');
      return consent();
    }
    case 'rule':
    case 'prompt': {
      const what = `${member.path[0]}[${member.path[1]}]`;
      const [variable] = variablesIn(member.raw);
      if (variable !== undefined) return refuse(what, `A project may not tell the model the variable ${variable}.`);
      if (isWebAddress(member.text))
        return refuse(
          what,
          `${member.text} is an address, and gw reads ${member.kind}s from files of the project alone. Put the text into a file there.`,
        );
      return { effect: 'applies' };
    }
    case 'allow':
      return refuse(
        'permissions.allow',
        'permissions.allow of a project does not count. Write these rules into ~/.gateway/config.yaml, or pass the file with --config, if you trust it.',
      );
    case 'hooks':
      return refuse(
        'the member hooks',
        'Hooks are programs of your own configuration. Write them to ~/.gateway/config.yaml.',
      );
    case 'snapshots':
      return refuse('the member snapshots', 'Whether files are copied for /undo is decided by your own configuration.');
    default:
      member.kind satisfies 'ask' | 'exclude';
      return { effect: 'applies' };
  }
}

/** Whether a text is an address of http or https and nothing else. */
export function isWebAddress(text: string): boolean {
  return /^\s*https?:\/\/\S+\s*$/i.test(text);
}

function foreignIn(text: string | undefined, known: ReadonlySet<string>): string | null {
  return variablesIn(text ?? '').find((name) => !known.has(name)) ?? null;
}

function inAddress(variable: string): string {
  return `A project may not put the variable ${variable} into an address: your own configuration uses it in none.`;
}

function isSameAddress(one: string, other: string | null): boolean {
  const key = (address: string): string | null => URL.parse(address)?.href.replace(/\/+$/, '') ?? null;
  return other !== null && key(one) === key(other);
}

/** One word that nobody means as an instruction: a mistyped path must not become one. */
const ONLY_A_PATH = /^(?:\.{1,2}|~)\/\S+$|^\S+\.(?:md|txt)$/;

/** The text of `--rule` or `--prompt`: the content of the file that has this name, else the words themselves. */
export async function textOrFile(environment: Environment, option: string, word: string): Promise<string> {
  if (isProse(word)) return word;
  const reading = await readText(pathFrom(environment, word));
  if (reading.state === 'read') return reading.text.trim();
  if (reading.state === 'absent' || reading.state === 'directory') {
    if (looksLikeSlug(word)) refuseName(option, word);
    if (reading.state === 'absent' && ONLY_A_PATH.test(word))
      throw new WrongUsage(`${option} ${word}: there is no such file. Correct the path.`);
    return word;
  }
  throw new WrongUsage(`${option} ${word} cannot be read: ${FIXES[reading.state]}`);
}

/**
 * The text of a rule or a prompt that a project's file gives: words, or the content of a file inside the project, links
 * resolved. Null where it is neither; then `notices` gets a line.
 */
export async function textOfProject(project: Project, word: string, notices: string[]): Promise<string | null> {
  const leftOut = (why: string): null => {
    notices.push(`A rule of this project is ignored: ${word} ${why}`);
    return null;
  };
  if (isWebAddress(word)) return leftOut('is an address, and gw reads rules from files of the project alone.');
  if (isProse(word)) return word;
  const path = resolve(project.directory, word);
  if (!(await staysWithin(project.directory, path))) return leftOut('leads out of the project.');
  const reading = await readText(path);
  if (reading.state === 'read') return reading.text.trim();
  if (reading.state === 'directory' && !ONLY_A_PATH.test(word)) return word;
  if (reading.state !== 'absent') return leftOut(`cannot be read: ${FIXES[reading.state]}`);
  return ONLY_A_PATH.test(word) ? leftOut('does not exist.') : word;
}

/** The texts of rules, by whose word they are. */
export async function textsOf(
  environment: Environment,
  project: Project,
  { origin, option, words }: { readonly origin: Origin; readonly option: string; readonly words: readonly string[] },
  notices: string[],
): Promise<readonly string[]> {
  const texts = words.map((word) =>
    origin === 'user' ? textOrFile(environment, option, word) : textOfProject(project, word, notices),
  );
  return (await Promise.all(texts)).filter((text) => text !== null);
}

/** Too long for a path, or of several lines. */
function isProse(word: string): boolean {
  return word.includes('\n') || word.length > 1024;
}
