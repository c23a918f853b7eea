import type { Context } from '../../process/context.ts';
import { EXIT, type Usage } from '../command/command.ts';
import { USAGE } from '../session/command.ts';
import type { Completable, Shell } from './options.ts';

interface Completed {
  readonly name: string;
  readonly about: string;
  readonly options: Usage['options'];
}

export async function runCompletion(
  { terminal }: Context,
  list: readonly Completable[],
  { shell }: { readonly shell: Shell },
): Promise<number> {
  const listed = list.filter(({ group }) => group !== 'hidden');
  const commands = await Promise.all(
    listed.map(
      async ({ name, about, load }): Promise<Completed> => ({ name, about, options: (await load()).usage.options }),
    ),
  );
  const scripts = { bash, zsh: zshScript, fish };
  await terminal.write(scripts[shell](commands, USAGE.options));
  return EXIT.done;
}

const names = (options: Usage['options']): string => [...options.map(({ long }) => long), '--help'].join(' ');

function bash(commands: readonly Completed[], session: Usage['options']): string {
  const cases = commands.map(({ name, options }) => `    ${name}) words="${names(options)}" ;;\n`).join('');
  const all = `${commands.map(({ name }) => name).join(' ')} ${names(session)} --version`;
  return `# bash completion of gw
_gw() {
  local words current="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[1]}" in
${cases}    *) words="${all}" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${all}"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _gw gw
`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function fish(commands: readonly Completed[], session: Usage['options']): string {
  const line = (condition: string, { long, value, about }: Usage['options'][number]): string =>
    `complete -c gw -n ${quoted(condition)} -l ${long.slice(2)}${value === undefined ? '' : ' -r'} -d ${quoted(about)}\n`;
  const own = commands.flatMap(({ name, about, options }) => [
    `complete -c gw -n __fish_use_subcommand -f -a ${name} -d ${quoted(about)}\n`,
    ...options.map((option) => line(`__fish_seen_subcommand_from ${name}`, option)),
  ]);
  return ['# fish completion of gw\n', ...session.map((option) => line('__fish_use_subcommand', option)), ...own].join(
    '',
  );
}

const HELP = { long: '--help', short: '-h', about: 'show this help' } as const;

/** A script for zsh: works with `source <(gw completion zsh)` and as the file `_gw` in a directory of `fpath`. */
function zshScript(commands: readonly Completed[], session: Usage['options']): string {
  const listed = commands.map(({ name, about }) => `    ${quote(`${name}:${about}`)}\n`).join('');
  const cases = commands.map(({ name, options }) => `    ${name})\n${argumentsOf(options)}      ;;\n`).join('');
  return `#compdef gw
_gw() {
  local -a commands
  commands=(
${listed}  )
  if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then
    _describe command commands
    return
  fi
  case $words[2] in
${cases}    *)
${argumentsOf(session)}      ;;
  esac
}
if [[ $funcstack[1] == _gw ]]; then _gw "$@"; else compdef _gw gw; fi
`;
}

function argumentsOf(options: Usage['options']): string {
  const specs = [...options, HELP].map((option) => `        ${quote(specOf(option))}`);
  return `      _arguments \\\n${[...specs, "        '*:file:_files'"].join(' \\\n')}\n`;
}

/** `*--rule[add a rule]:rule:`, as _arguments reads it. */
function specOf({ long, value, repeatable, about }: Usage['options'][number]): string {
  const name = value === undefined ? '' : value.slice(1, -1);
  const taken = value === undefined ? '' : `:${name}:${/path|file/.test(name) ? '_files' : ''}`;
  return `${repeatable === true ? '*' : ''}${long}[${about.replaceAll(/[[\]\\:]/g, '\\$&')}]${taken}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
