import { isDevice, NOTHING, type Started, unknown } from './started.ts';
import type { SimpleCommand, Word } from './types.ts';

/** Options whose value is a command, of programs that are no wrappers. The first group is what follows in the same word. */
const COMMAND_OPTIONS: Readonly<Record<string, RegExp>> = {
  sort: /^--comp[a-z-]*(?:=([\s\S]*))?$/,
  tar: /^(?:--(?:to-command|use-compress-program|rsh-command|rmt-command|info-script|new-volume-script)(?:=([\s\S]*))?|--checkpoint-action=exec=([\s\S]*)|-[A-Za-z]*[IF])$/,
  rsync: /^(?:-[a-zA-Z]*e([\s\S]+)?|--rsh(?:=([\s\S]*))?|--rsync-path(?:=([\s\S]*))?)$/,
  rg: /^--(?:pre|hostname-bin)(?:=([\s\S]*))?$/,
  man: /^(?:-[A-Za-z]*P([\s\S]+)?|--pager(?:=([\s\S]*))?)$/,
  ssh: /^-?o?(?:ProxyCommand|LocalCommand|KnownHostsCommand|RemoteCommand)[= ]([\s\S]*)$/i,
  scp: /^-?o?(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ]([\s\S]*)$/i,
  sed: /^(?:\d+|\$|\/[^/]*\/)?(?:,\d+)?\s*!?\s*\{?\s*e\s*(\S[\s\S]*)$/,
};
const INTERPRETER = /^(?:python|pypy|perl|ruby|node|nodejs|php|lua|deno|bun|osascript|tclsh|Rscript)[\d.]*$/;
/** Options with which an interpreter does not read its program from its input. */
const GIVES_PROGRAM = /^(?:-[A-Za-z]*[cemrpEVvh]|--(?:eval|print|version|help|run|test|check|require|import|watch))/;
/** Programs that a program starts because of an option or its input. */
export function findStartedByOption(name: string, command: SimpleCommand, words: readonly Word[]): Started {
  const option = COMMAND_OPTIONS[name];
  if (option !== undefined) {
    const lines: string[] = [];
    for (const [at, { text }] of words.entries()) {
      const found = option.exec(text);
      if (found === null) continue;
      const joined = found.slice(1).find((one) => one !== undefined);
      const next = words[at + 1];
      if (joined === undefined && next?.dynamic)
        return unknown(`What ${name} starts is not known before the line runs.`);
      const line = joined ?? next?.text ?? '';
      if (line !== '') lines.push(line);
    }
    return { ...NOTHING, lines };
  }
  return readsItsProgram(name, words) && !isGivenText(command)
    ? unknown(`${name} reads commands from its input.`)
    : NOTHING;
}

function readsItsProgram(name: string, words: readonly Word[]): boolean {
  const texts = words.map(({ text }) => text);
  if (name === 'at' || name === 'batch' || name === 'ed' || name === 'ex') return !texts.includes('-l');
  if (name === 'crontab') return texts.every((text) => text === '-');
  if (!INTERPRETER.test(name)) return false;
  if (texts.some((text) => text === '-' || isDevice(text))) return true;
  return texts.every((text) => text.startsWith('-')) && !texts.some((text) => GIVES_PROGRAM.test(text));
}

/** A here-document shows what is read, so that the rules can look at it. */
function isGivenText({ input }: SimpleCommand): boolean {
  return input.length > 0 && input.every(({ dynamic }) => !dynamic);
}
