import { dirname } from 'node:path/posix';
import type { SimpleCommand } from './bash/types.ts';
import { covers, readsInside } from './command-pattern.ts';
import { approvalsOf } from './decide-command.ts';
import type { Program } from './programs/program.ts';
import { findProgramIn } from './programs/table.ts';
import { ruleKey } from './saved-rules.ts';
import type { Call } from './types.ts';

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
